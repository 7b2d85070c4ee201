import { findElement, type Quota, type SurveyDefinition } from "@canvass/questions";
import type { PublishedVersion } from "../published-version.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { languageAfter } from "./known-answers.ts";
import type { SubmissionBody } from "./submission.ts";

/**
 * Returns the version's definition in a language that it is translated into. Call it before anything changes: it throws
 * if the translation must be fetched first.
 */
export type InLanguage = (language: string) => SurveyDefinition;

/** Messages in the language of a submission. Those without a translation stay in the survey's language. */
export interface Wording {
  ofConstraint: (elementId: string, at: number, message: string) => string;
  ofQuota: (quota: Quota) => Quota;
}

/** Without `inLanguage` messages are in the survey's language. */
export function wordingFor(
  state: RespondentState,
  body: SubmissionBody,
  { definition }: PublishedVersion,
  inLanguage: InLanguage = () => definition,
): Wording {
  const translated = () => inLanguage(languageAfter(state, body));
  return {
    ofConstraint: (elementId, at, message) =>
      findElement(translated(), elementId)?.question.logic?.constraints?.[at]?.message ?? message,
    ofQuota(quota) {
      if (quota.message === null) return quota;
      const { message = quota.message } = translated().quotas?.find(({ quotaId }) => quotaId === quota.quotaId) ?? {};
      return { ...quota, message };
    },
  };
}
