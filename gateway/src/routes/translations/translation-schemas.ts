import { TranslationFormat } from "@canvass/proto/survey";
import { Type } from "typebox";
import { idParam, named, withExamples } from "../schemas.ts";

export const fileFormats = { po: TranslationFormat.PO, csv: TranslationFormat.CSV } as const;

export const translationParams = Type.Object({
  surveyId: idParam("id of a survey"),
  language: Type.String({ description: "one of the survey's `settings.locale.languages`" }),
});

const texts =
  "by place: `survey.name`, `survey.description`, `settings.<group>.<key>`, `pages.<id>.title`, `elements.<id>.text`, `elements.<id>.helpText`, `elements.<id>.settings.<path>`, and `choices`, `rows`, `columns` and `options` with an id";

const example = {
  "survey.name": "Mittagessen",
  "elements.01h8x3k9q2w7d1ej.text": "Wie war es?",
  "choices.01h8x3k9q2z4k6vn": "Gut",
};

export const translationSchema = Type.Record(Type.String(), Type.String(), {
  title: "Translation",
  description: `Texts ${texts}`,
  examples: [example],
});

const body = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
  title: "TranslationInput",
  description: `Texts ${texts}; null removes`,
});

export const documentedTranslation = withExamples(body, {
  question: { summary: "A question and a choice", value: example },
});

const places = Type.Array(Type.String({ examples: ["elements.01h8x3k9q2w7d1ej.text"] }), {
  description: "the first 100, in the survey's order",
});

export const translationStatusSchema = named("TranslationStatus", {
  language: Type.String({ description: "as in the settings" }),
  places: Type.Integer({ description: "texts that respondents see" }),
  translated: Type.Integer({ description: "those with a translation, outdated ones too" }),
  missing: Type.Integer(),
  outdated: Type.Integer({ description: "those whose source has changed since" }),
  missingPlaces: places,
  outdatedPlaces: places,
});
