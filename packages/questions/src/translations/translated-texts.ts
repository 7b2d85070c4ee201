import { Type, type Static } from "typebox";

const closed = { additionalProperties: false };

export const translatedTextsSchema = Type.Record(
  Type.String(),
  Type.Object(
    {
      text: Type.String({ examples: ["Wie war es?"] }),
      source: Type.String({ description: "digest of the source text", examples: ["5d41402a"] }),
    },
    { ...closed, title: "TranslatedText" },
  ),
  {
    description:
      "by place: title, text, helpText, settings.<path>, constraints.<n>.message, message, or choices, rows, columns or options with an id",
  },
);

/** Texts in other languages, by language tag as `languageKey` writes it. */
export const translationsSchema = Type.Optional(
  Type.Record(Type.String(), translatedTextsSchema, {
    description: "by language (contract 6.17); absent when a version is read",
  }),
);

export type TranslatedTexts = Static<typeof translatedTextsSchema>;
export type Translations = Record<string, TranslatedTexts>;
