/** An answer that stands. */
export interface StandingAnswer {
  answerId: string;
  value: unknown;
}

/** A respondent with all its standing answers, by answer key: what a submission is judged and applied on. */
export interface RespondentState {
  readonly workspaceId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  readonly versionId: string;
  readonly versionNumber: number;
  readonly isTest: boolean;
  readonly isAnonymous: boolean;
  startedAt: Date;
  completedAt: Date | null;
  pageId: string;
  percentComplete: number;
  readonly answers: Map<string, StandingAnswer>;
}
