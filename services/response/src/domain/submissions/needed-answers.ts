import {
  dependsOnAnswers,
  isLastReachable,
  judgingElements,
  mayEndOn,
  missingRequired,
  type Answers,
  type SurveyDefinition,
} from "@canvass/questions";
import { isStorable } from "@canvass/values";
import type { RespondentState } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

/** Returns the keys of the answers that a submission changes, or null if validation needs all, whatever the version. */
export function ownAnswerKeys(body: SubmissionBody): string[] | null {
  if (claimsToBeFinal(body)) return null;
  // A key that the database cannot store names no answer.
  return body.responses.flatMap((answer) => answer?.elementId ?? []).filter(isStorable);
}

/**
 * Returns the keys of answers that validation needs beside `ownAnswerKeys`, or null for all. `mayBeFull`: a quota of
 * the version may be full when the submission is validated.
 */
export function furtherAnswerKeys(
  body: SubmissionBody,
  { completedAt }: Pick<RespondentState, "completedAt">,
  definition: SurveyDefinition,
  mayBeFull: boolean,
): string[] | null {
  const own = ownAnswerKeys(body);
  if (own === null) return [];
  const changesResults = completedAt !== null && (dependsOnAnswers(definition) || definition.quotas !== undefined);
  if (changesResults || mayBeFull || mayBeLast(body, definition)) return null;
  return judgingElements(definition, own)?.filter((key) => !own.includes(key)) ?? null;
}

/** Whether a submission may complete its respondent. */
export function mayBeLast(body: SubmissionBody, definition: SurveyDefinition): boolean {
  if (claimsToGoOn(body)) return false;
  return claimsToBeFinal(body) || mayEndOn(definition, body.pageId ?? "");
}

/** Whether a submission is the last: it claims so, or its page is the last, and no required answer is missing. */
export function completes(body: SubmissionBody, answers: Answers, definition: SurveyDefinition): boolean {
  if (!mayBeLast(body, definition)) return false;
  if (!claimsToBeFinal(body) && !isLastReachable(definition, answers, body.pageId ?? "")) return false;
  return missingRequired(definition, answers).next().done === true;
}

/** Whether the caller claims that nothing follows, by `metadata.complete`, or by naming no page. */
function claimsToBeFinal(body: SubmissionBody): boolean {
  return body.metadata?.["complete"] === true || (!body.pageId && !claimsToGoOn(body));
}

function claimsToGoOn({ metadata }: SubmissionBody): boolean {
  return metadata?.["complete"] === false;
}
