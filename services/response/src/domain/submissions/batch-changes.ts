import type { CurrentAnswer, NewRespondent, RespondentState } from "../respondents/respondent-state.ts";

/** An answer to store, in its part of the survey. */
export interface ChangedAnswer {
  respondent: RespondentState;
  answerKey: string;
  part: number;
  answer: CurrentAnswer;
}

export interface AnswerPlace {
  workspace_id: string;
  respondent_id: string;
  submitted_at: string;
  answer_key: string;
}

export interface QuestionCounts {
  workspace_id: string;
  survey_id: string;
  question_id: string;
  off_path: boolean;
  responses: number;
  respondents: number;
  sum: bigint;
}

export interface BucketCount {
  workspace_id: string;
  survey_id: string;
  question_id: string;
  off_path: boolean;
  bucket: string;
  count: number;
}

export interface NumberCount {
  workspace_id: string;
  survey_id: string;
  question_id: string;
  off_path: boolean;
  number: number;
  count: number;
}

export interface SurveyCounts {
  workspace_id: string;
  survey_id: string;
  started: number;
  completed: number;
  completion_milliseconds: number;
  test_answers: number;
}

export interface SlotCount {
  workspace_id: string;
  survey_id: string;
  starts_at: string;
  completions: number;
}

export interface StartCount {
  workspace_id: string;
  starts_at: string;
  country: string;
  started: number;
}

export interface DistributorCount {
  workspace_id: string;
  survey_id: string;
  distributor_id: string;
  started: number;
  completed: number;
}

export interface QuotaFill {
  workspace_id: string;
  survey_id: string;
  quota_id: string;
  completed: number;
}

export interface ActivityCount {
  workspace_id: string;
  starts_at: string;
  respondents: number;
}

export interface FileUse {
  workspace_id: string;
  file_id: string;
  respondent_id: string;
  is_test: boolean;
  /** Null: an answer names the file. */
  expires_at: string | null;
}

/** A respondent that completes: exactly when, which is never shown, and the trace of its submission. */
export interface Completion {
  respondent: RespondentState;
  at: Date;
  traceparent: string | undefined;
}

/** All changes of a batch; each row is written once. Keys are the rows' keys: their order is the lock order. */
export class BatchChanges {
  readonly answers = new Map<string, ChangedAnswer>();
  /** Stored places of answers that the batch replaces or removes. */
  readonly formerPlaces = new Map<string, AnswerPlace>();
  readonly starts = new Map<string, NewRespondent>();
  readonly respondents = new Map<string, RespondentState>();
  readonly questions = new Map<string, QuestionCounts>();
  readonly buckets = new Map<string, BucketCount>();
  readonly numbers = new Map<string, NumberCount>();
  readonly surveys = new Map<string, SurveyCounts>();
  readonly slots = new Map<string, SlotCount>();
  readonly startDays = new Map<string, StartCount>();
  readonly distributors = new Map<string, DistributorCount>();
  readonly quotas = new Map<string, QuotaFill>();
  readonly activity = new Map<string, ActivityCount>();
  /** Files that answers start or stop naming. */
  readonly files = new Map<string, FileUse>();
  readonly completions: Completion[] = [];
}

export function getOrInsert<Row>(rows: Map<string, Row>, key: string, make: () => Row): Row {
  let row = rows.get(key);
  if (!row) {
    row = make();
    rows.set(key, row);
  }
  return row;
}
