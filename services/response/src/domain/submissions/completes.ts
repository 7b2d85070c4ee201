import { isLastReachable, missingRequired, type Answers, type SurveyDefinition } from "@canvass/questions";
import { claimsToBeFinal, mayBeLast } from "./needed-answers.ts";
import type { SubmissionBody } from "./submission.ts";

/** Whether a submission is the last: it claims so, or its page is the last, and no required answer is missing. */
export function completes(body: SubmissionBody, answers: Answers, definition: SurveyDefinition): boolean {
  if (!mayBeLast(body, definition)) return false;
  if (!claimsToBeFinal(body) && !isLastReachable(definition, answers, body.pageId ?? "")) return false;
  return missingRequired(definition, answers).next().done === true;
}
