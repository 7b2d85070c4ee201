import { dependsOnAnswers, isLastReachable, type SurveyDefinition } from "@canvass/questions";
import { isStorable } from "@canvass/values";
import type { SubmissionBody } from "./submission.ts";

const noAnswers = new Map<string, unknown>();

/** Returns the keys of the answers that validation needs, or null for all. A save in mid-survey needs only its own. */
export function neededAnswers(body: SubmissionBody): string[] | null {
  if (claimsToBeFinal(body)) return null;
  // A key that the database cannot store names no answer.
  return body.responses.flatMap((answer) => answer?.elementId ?? []).filter(isStorable);
}

export function needsAllAnswers(body: SubmissionBody, definition: SurveyDefinition): boolean {
  return definition.quotas !== undefined || mayBeLast(body, definition);
}

/** Whether a submission may complete its respondent, unless it claims to go on. */
export function mayBeLast(body: SubmissionBody, definition: SurveyDefinition): boolean {
  if (claimsToBeFinal(body) || dependsOnAnswers(definition)) return true;
  return isLastReachable(definition, noAnswers, body.pageId ?? "");
}

/** Whether the caller claims that nothing follows, by `metadata.complete`, or by naming no page. */
export function claimsToBeFinal(body: SubmissionBody): boolean {
  return body.metadata?.["complete"] === true || (!body.pageId && !claimsToGoOn(body));
}

export function claimsToGoOn({ metadata }: SubmissionBody): boolean {
  return metadata?.["complete"] === false;
}
