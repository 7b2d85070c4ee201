import type { ChangeClass } from "../change-class.ts";
import type { Question } from "../definition.ts";

export const entryLists = ["choices", "rows", "columns", "options"] as const;
export type EntryList = (typeof entryLists)[number];

const entryKinds = entryLists.flatMap((list) =>
  (["added", "reworded", "recoded", "marked", "removed", "restored", "reordered"] as const).map(
    (what) => `${list}_${what}` as const,
  ),
);

/** Kinds of difference between the published version and the draft. Entries are choices, rows, columns or options. */
export const changeKinds = [
  "question_added",
  "question_removed",
  "question_moved",
  "question_renamed",
  "type_changed",
  "question_reworded",
  "help_text_changed",
  "required_changed",
  "show_if_changed",
  "required_if_changed",
  "constraints_changed",
  "entries_show_if_changed",
  "default_changed",
  "choices_from_changed",
  "setting_changed",
  "translations_changed",
  ...entryKinds,
  "rows_rules_changed",
  "page_added",
  "page_removed",
  "page_title_changed",
  "page_shuffle_changed",
  "loop_changed",
  "skip_logic_changed",
  "field_added",
  "field_removed",
  "field_changed",
  "fields_reordered",
  "quota_added",
  "quota_removed",
  "quota_changed",
  "quotas_reordered",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  /** A hash of kind, subject, before and after. An acknowledgement stays valid when answers arrive. */
  changeId: string;
  class: ChangeClass;
  kind: ChangeKind;
  elementId: string | null;
  affectedResponses: number;
  before: unknown;
  after: unknown;
  message: string;
}

/** `subject` names what differs, such as a question or a page. */
export type Difference = Omit<Change, "changeId"> & { subject: string };

/** Answers to a question, and how many of them name an entry, by the id of the choice, row, column or option. */
export interface AnsweredCounts {
  responses: number;
  byKey: ReadonlyMap<string, number>;
}

/** Answer counts by questionId; absent for a question without answers. */
export type Answered = ReadonlyMap<string, AnsweredCounts>;

/** By questionId: questions that the published version lacks, as the newest version before it had them. */
export type FormerQuestions = ReadonlyMap<string, Question>;

export const notAnswered: AnsweredCounts = { responses: 0, byKey: new Map() };
