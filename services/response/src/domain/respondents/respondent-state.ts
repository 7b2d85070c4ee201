import type { RespondentContext } from "@canvass/questions";

export interface CurrentAnswer {
  value: unknown;
  meta: unknown;
  submittedAt: Date;
  /** True: the question was not reached when the respondent completed, so results leave the answer out. */
  offPath?: boolean;
}

export interface RespondentState {
  readonly workspaceId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  readonly versionId: string;
  readonly versionNumber: number;
  readonly isTest: boolean;
  readonly isAnonymous: boolean;
  readonly hasContact: boolean;
  readonly distributorId: string;
  startedAt: Date;
  lastSeenAt: Date;
  completedAt: Date | null;
  /** True: a full quota ended it, so it never completes. */
  isScreenedOut?: boolean;
  /** Under full anonymity the times above are days. Exact ones stay until it completes or they are purged. */
  exactStartedAt: Date | null;
  exactSeenAt: Date | null;
  pageId: string;
  /** Of its last save that named one, else of its start. Empty if there is none. */
  language: string;
  /** Values of hidden fields by name. */
  fields: RespondentContext["fields"];
  answerWeight: number;
  /** By answer key: the current answers that the current submissions need (needed-answers.ts), or all. */
  readonly answers: Map<string, CurrentAnswer>;
}

export interface RespondentDetails {
  language: string;
  readonly distributorId: string;
  readonly contactId: string;
  readonly metadata: unknown;
  /** Values of hidden fields by name. */
  fields: RespondentContext["fields"];
  /** Of the orders that it sees. Null where none is stored. */
  readonly orderSeed: number | null;
  /** Of the system that an imported one comes from. Absent otherwise, or if its file named none. */
  readonly externalId?: string | null;
  /** Brought by an import, instead of collected here. */
  readonly isImported?: boolean;
}

export interface NewRespondent extends RespondentState, RespondentDetails {
  /** ISO 3166-1 alpha-2. Empty if unknown or not collected. */
  readonly country: string;
}

export function keyOf({ workspaceId, respondentId }: Pick<RespondentState, "workspaceId" | "respondentId">): string {
  return `${workspaceId} ${respondentId}`;
}
