import { answerByType, answerValueInputSchema } from "./answer-schemas.ts";
import { answerInput } from "../submission-body.ts";

/**
 * A submitted answer, for API documents. They show the `type` as required, so that compilers check the value of an answer
 * by its type.
 */
export const answerInputByType = answerByType(
  "AnswerInput",
  (type) => ({ ...answerInput.properties, value: answerValueInputSchema(type) }),
  { additionalProperties: false },
);
