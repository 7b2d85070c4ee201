import type { ChangeClass } from "../change-class.ts";

/** What can differ between what is published and the draft. Entries are choices, rows, columns or options. */
export type ChangeKind =
  | "question_added"
  | "question_removed"
  | "question_moved"
  | "type_changed"
  | "question_reworded"
  | "help_text_changed"
  | "required_changed"
  | "setting_changed"
  | `${EntryList}_${"added" | "reworded" | "removed" | "restored" | "reordered"}`
  | "page_added"
  | "page_removed"
  | "page_title_changed"
  | "loop_changed"
  | "skip_logic_changed";

export type EntryList = "choices" | "rows" | "columns" | "options";

/** One difference, as `GET /surveys/{id}/publish/changes` shows it. */
export interface Change {
  /** The same for the same difference, however many answers there are: what is acknowledged. */
  changeId: string;
  class: ChangeClass;
  kind: ChangeKind;
  /** Null for what concerns a page. */
  elementId: string | null;
  /** How many answers the change concerns. */
  affectedResponses: number;
  before: unknown;
  after: unknown;
  message: string;
}

/** A difference before it has an id. `subject` tells apart what kind and place leave open. */
export type Difference = Omit<Change, "changeId"> & { subject: string };

/** Counted answers of a question: all of them, and those that name a choice, row, column or option. */
export interface AnsweredCounts {
  responses: number;
  byKey: ReadonlyMap<string, number>;
}

/** Counted answers by questionId; a question that is missing was not answered. */
export type Answered = ReadonlyMap<string, AnsweredCounts>;

export const notAnswered: AnsweredCounts = { responses: 0, byKey: new Map() };
