/** An answer that stands. */
export interface StandingAnswer {
  value: unknown;
  /** A JSON object; null: none. */
  meta: unknown;
  submittedAt: Date;
  /** True: what it answers was no longer reached when the respondent completed, so results leave it out. */
  offPath?: boolean;
}

/** A respondent as a submission is judged and applied on it. */
export interface RespondentState {
  readonly workspaceId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  readonly versionId: string;
  readonly versionNumber: number;
  readonly isTest: boolean;
  readonly isAnonymous: boolean;
  readonly hasContact: boolean;
  /** Empty: none. */
  readonly distributorId: string;
  startedAt: Date;
  /** Of its last request that was stored. */
  lastSeenAt: Date;
  completedAt: Date | null;
  /** With full anonymity the times above are days. The moments are kept for a while, until it completes; null: gone. */
  exactStartedAt: Date | null;
  exactSeenAt: Date | null;
  pageId: string;
  /** Of all its standing answers (answer-weight.ts). */
  answerWeight: number;
  /** By answer key: the standing answers that the submissions at hand need (needed-answers.ts), or all of them. */
  readonly answers: Map<string, StandingAnswer>;
}

/** What is known of a respondent beside its way through the survey; empty where there is none. */
export interface RespondentDetails {
  readonly language: string;
  readonly distributorId: string;
  readonly contactId: string;
  /** Of the caller that started it. */
  readonly metadata: unknown;
}

/** A respondent that is not stored yet. */
export interface NewRespondent extends RespondentState, RespondentDetails {
  /** ISO 3166-1 alpha-2; empty: unknown or not collected. */
  readonly country: string;
}

/** A respondent's key as one text. */
export function keyOf({ workspaceId, respondentId }: Pick<RespondentState, "workspaceId" | "respondentId">): string {
  return `${workspaceId} ${respondentId}`;
}
