import type { RespondentContext } from "@canvass/questions";
import type { respondentStatuses } from "@canvass/inputs";

export interface CurrentAnswer {
  value: unknown;
  meta: unknown;
  submittedAt: Date;
  /** True: the path of the completed respondent does not reach or show the question. Results leave the answer out. */
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
  /** Under full anonymity the times above are days. Exact ones are kept while it may complete, until a purge. */
  exactStartedAt: Date | null;
  exactSeenAt: Date | null;
  pageId: string;
  /** The language of the last save that had one, otherwise of the start. Empty if there is none. */
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

export type RespondentStatus = (typeof respondentStatuses)[number];
export type Ending = Pick<RespondentState, "completedAt" | "isScreenedOut">;

export function respondentStatus({ completedAt, isScreenedOut = false }: Ending): RespondentStatus {
  if (completedAt) return "completed";
  return isScreenedOut ? "screened_out" : "started";
}

/** Whether the respondent may still complete. */
export function isOpen(respondent: Ending): boolean {
  return respondentStatus(respondent) === "started";
}

export const weightPerAnswer = 1024;

/** Four of the largest submissions, so that a respondent can always be read and shown completely. */
export const mostAnswerWeight = 4 * 1024 * 1024;

/** The bytes of an answer as JSON and `weightPerAnswer`: the same as submitted and as read back. */
export function answerWeight({ value, meta }: { value: unknown; meta: unknown }): number {
  return weightPerAnswer + jsonBytes(value) + (meta === null ? 0 : jsonBytes(meta));
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
