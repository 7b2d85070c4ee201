import { Type } from "typebox";
import { closed, limitedText, lookupId } from "../fields.ts";

/** A comment is stored in the `meta` of the answer, which has at most 4 KiB. */
const longestComment = 1_000;

export const npsResponseBody = closed({
  respondentId: lookupId("a respondent", "of a started respondent"),
  score: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    minimum: 0,
    maximum: 10,
    description: "a whole number from 0 to 10; null retracts the answer",
  }),
  comment: Type.Optional(limitedText(longestComment, { description: "stored with the answer" })),
});

export const npsResponseQuery = closed({
  respondentId: Type.String({ minLength: 1, maxLength: 64, description: "the id of a respondent of the survey" }),
});
