import { npsResponseBody } from "@canvass/inputs";
import { Type } from "typebox";
import { id, named, nullable, nullableDateTime, nullableText, withExamples } from "../schemas.ts";

export const documentedNpsResponse = withExamples(npsResponseBody, {
  score: {
    summary: "A score with a comment",
    value: { respondentId: "01h8x4v2c6n8b5tq", score: 9, comment: "Good coffee" },
  },
});

export const npsResponseSchema = named("NpsAnswer", {
  elementId: id,
  name: Type.Optional(Type.String({ description: "of the element; only when the answer is read" })),
  respondentId: id,
  score: nullable<number>("integer", { description: "0 to 10; null: no answer" }),
  comment: nullableText,
  submittedAt: nullableDateTime,
});

/** Part of descriptions: what operations on a single answer cannot do (contract 7.8). */
export const singleAnswerLimits =
  "On a page that repeats there are several answers, and a question that was deleted may still be published: submit those with the other answers of the respondent.";
