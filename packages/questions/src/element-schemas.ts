import { Type, type TProperties, type TSchema } from "typebox";
import { questionTypes } from "./catalogue.ts";
import { listNames } from "./list-names.ts";
import { oneOfTypes } from "./one-of-types.ts";
import { partialSettings } from "./partial-settings.ts";
import type { QuestionType } from "./question-type.ts";
import { titleOf } from "./type-titles.ts";

/** The settings of a type, as requests and elements hold them: an absent one has its default. */
export const typeSettingsSchema = ({ typeName, settings }: QuestionType): TSchema =>
  partialSettings(settings, `${titleOf(typeName)}Settings`);

/** An element by its `typeName`, for API documents. `fieldsOf` returns its fields, with the settings and every list. */
export const elementByType = (title: string, fieldsOf: (type: QuestionType) => TProperties, options: object = {}) =>
  oneOfTypes(title, "typeName", questionTypes, (type, name) =>
    Type.Object(
      { ...withOwnLists(type, fieldsOf(type)), typeName: Type.Literal(type.typeName) },
      { ...options, title: title + name },
    ),
  );

function withOwnLists({ lists }: QuestionType, fields: TProperties): TProperties {
  const others: readonly string[] = listNames.filter((name) => !lists[name]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !others.includes(name)));
}
