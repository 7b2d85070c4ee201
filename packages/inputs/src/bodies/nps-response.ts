import { Type } from "typebox";
import { closed, limitedText, soughtId } from "../fields.ts";

/** Limit of a comment with a score: it is stored with the answer, within 4 KiB. */
const longestComment = 1_000;

/** The body of `POST /nps/{id}/response`. */
export const npsResponseBody = closed({
  respondentId: soughtId("a respondent", "of a started respondent"),
  score: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    minimum: 0,
    maximum: 10,
    description: "a whole number from 0 to 10; null takes the answer back",
  }),
  comment: Type.Optional(limitedText(longestComment, { description: "stored with the answer" })),
});

/** The query of `GET /nps/{id}/response`. */
export const npsResponseQuery = closed({
  respondentId: Type.String({ minLength: 1, maxLength: 64, description: "of a respondent of the survey" }),
});
