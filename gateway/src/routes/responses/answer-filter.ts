import type { answerRowsQuery } from "@canvass/inputs";
import type { Static } from "typebox";
import { timestampOf } from "../../plugins/responses/timestamps.ts";

export interface AnswerQuery extends Omit<Static<typeof answerRowsQuery>, "cursor"> {
  surveyId: string;
}

/** Makes the filter of the answers that a query selects. */
export function answerFilter({ surveyId, respondentId, elementId, from, to, completed }: AnswerQuery) {
  return {
    surveyId,
    ...(respondentId !== undefined && { respondentId }),
    ...(elementId !== undefined && { elementId }),
    ...(from !== undefined && { from: timestampOf(from) }),
    ...(to !== undefined && { to: timestampOf(to) }),
    ...(completed !== undefined && { completed }),
  };
}
