/** An answer that stands. */
export interface StandingAnswer {
  value: unknown;
  /** A JSON object; null: none. */
  meta: unknown;
  submittedAt: Date;
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
  startedAt: Date;
  /** Of its last request that was stored. */
  lastSeenAt: Date;
  completedAt: Date | null;
  pageId: string;
  /** By answer key: the standing answers that the submissions at hand need (needed-answers.ts), or all of them. */
  readonly answers: Map<string, StandingAnswer>;
}

/** A respondent that is not stored yet, with what is stored when it starts and never needed afterwards. */
export interface NewRespondent extends RespondentState {
  readonly language: string;
  readonly distributorId: string;
  readonly contactId: string;
  /** ISO 3166-1 alpha-2; empty: unknown or not collected. */
  readonly country: string;
  /** JSON object. */
  readonly metadataJson: string;
}

/** A respondent's key as one text. */
export function keyOf({ workspaceId, respondentId }: Pick<RespondentState, "workspaceId" | "respondentId">): string {
  return `${workspaceId} ${respondentId}`;
}
