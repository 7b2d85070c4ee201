import { TranslationFormat } from "@canvass/proto/survey-translations";
import { textsByPlace, translationBody } from "@canvass/inputs";
import { Type } from "typebox";
import { idParam, named, withExamples } from "../schemas.ts";

export const fileFormats = { po: TranslationFormat.PO, csv: TranslationFormat.CSV } as const;

export const translationParams = Type.Object({
  surveyId: idParam("id of a survey"),
  language: Type.String({ description: "one of the survey's `settings.locale.languages`" }),
});

const example = {
  "survey.name": "Mittagessen",
  "elements.01h8x3k9q2w7d1ej.text": "Wie war es?",
  "choices.01h8x3k9q2z4k6vn": "Gut",
};

export const translationSchema = Type.Record(Type.String(), Type.String(), {
  title: "Translation",
  description: textsByPlace,
  examples: [example],
});

export const translationBodyWithExamples = withExamples(translationBody, {
  name: { summary: "The survey's name", value: { "survey.name": "Mittagessen" } },
});

const places = Type.Array(Type.String({ examples: ["elements.01h8x3k9q2w7d1ej.text"] }), {
  description: "the first 100, in the survey's order",
});

export const translationStatusSchema = named("TranslationStatus", {
  language: Type.String({ description: "language tag, as in the settings" }),
  places: Type.Integer({ description: "texts that respondents see" }),
  translated: Type.Integer({ description: "texts with a translation, including outdated ones" }),
  missing: Type.Integer(),
  outdated: Type.Integer({ description: "texts whose source has changed since" }),
  missingPlaces: places,
  outdatedPlaces: places,
});
