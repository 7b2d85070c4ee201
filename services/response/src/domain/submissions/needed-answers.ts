import { isLastReachable, isLinear, type SurveyDefinition } from "@canvass/questions";
import { isStorable } from "@canvass/values";
import type { SubmissionBody } from "./submission.ts";

const noAnswers = new Map<string, unknown>();

/**
 * Returns the keys of the standing answers that validating a submission needs, judging by its body. Null: all of them.
 * A page save in the middle of a survey neither completes it nor depends on other pages, so it costs the same on every
 * page.
 */
export function neededAnswers(body: SubmissionBody): string[] | null {
  if (claimsToBeFinal(body)) return null;
  // A key that the database cannot store names no answer.
  return body.responses.flatMap((answer) => answer?.elementId ?? []).filter(isStorable);
}

/** Whether all standing answers are needed, given the respondent's version. */
export function needsAllAnswers(body: SubmissionBody, definition: SurveyDefinition): boolean {
  if (claimsToBeFinal(body) || !isLinear(definition)) return true;
  return isLastReachable(definition, noAnswers, body.pageId ?? "");
}

/** Whether the caller says that nothing follows: by `metadata.complete`, or by naming no page. */
export function claimsToBeFinal(body: SubmissionBody): boolean {
  return body.metadata?.["complete"] === true || (!body.pageId && !claimsToGoOn(body));
}

/** Whether the caller says that more answers follow, whatever page it names. */
export function claimsToGoOn({ metadata }: SubmissionBody): boolean {
  return metadata?.["complete"] === false;
}
