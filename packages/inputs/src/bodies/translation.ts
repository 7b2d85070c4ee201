import { Type } from "typebox";

export const textsByPlace =
  "Texts by place: `survey.name`, `survey.description`, `settings.<group>.<key>`, `pages.<id>.title`, `elements.<id>.text`, " +
  "`elements.<id>.helpText`, `elements.<id>.settings.<path>`, `elements.<id>.constraints.<n>.message`, `quotas.<id>.message`, " +
  "and `choices`, `rows`, `columns` and `options` with an id";

/** Texts of a survey in a language (contract 6.17). Which places there are depends on the survey. */
export const translationBody = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
  title: "TranslationInput",
  description: `${textsByPlace}; null removes`,
});
