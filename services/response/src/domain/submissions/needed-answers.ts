import { isLastReachable, isLinear, type SurveyDefinition } from "@canvass/questions";
import { isStorable } from "@canvass/values";
import type { SubmissionBody } from "./submission.ts";

const noAnswers = new Map<string, unknown>();

/**
 * The answer keys whose standing answers a submission is judged by, as far as its body tells; null: all of them. A page
 * save in the middle of a survey neither completes nor depends on other pages, so it costs the same on every page.
 */
export function neededAnswers(body: SubmissionBody): string[] | null {
  if (claimsToBeFinal(body)) return null;
  // What the database could not even be asked for names no answer.
  return body.responses.flatMap((answer) => answer?.elementId ?? []).filter(isStorable);
}

/** Whether all standing answers are needed after all, now that the respondent's version is known. */
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
