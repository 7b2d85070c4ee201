import type { Fault } from "@canvass/inputs";
import type { Static, TObject, TSchema } from "typebox";
import type { SettingEffect } from "./change-class.ts";
import type { Conditions } from "./condition-targets.ts";
import type { DateTimeMode } from "./dates.ts";
import type { Choice, Column, Question } from "./definition.ts";
import type { Random } from "./samples/random.ts";
import type { AnswerStats, Tally } from "./tally.ts";

/** What the question's owner knows beside the value itself. */
export type ValueContext = {
  /** Let retired choices pass: for an answer that already stands and is only looked at again. Default: refuse them. */
  allowRetired?: boolean;
};

/** What is known of an uploaded file; `size` in bytes. */
export type FileFacts = { name: string; size: number; mimeType: string };

/** What a question asks of a file: its bytes and the end of its name (without the dot; none: any). */
export type FileRules = { maxBytes: number; extensions: readonly string[] };

/** How names are written into an export: `labels` as the respondent saw them, `ids`, or `label [id]`. */
export type ExportLabels = "ids" | "labels" | "both";
/** One spreadsheet cell. Numbers stay numbers; null is an empty cell. */
export type ExportCell = string | number | null;
/** What a cell may hold beside nothing: its code in statistics programs, its id, and its label. */
export type ExportValue = { code: number; id: string; label: string };
/** A cell as a question writes it; a list is joined where a format has none. */
export type QuestionCell = ExportCell | readonly string[];
/** What the cells of a column are, for formats that know more than text and numbers. */
export type ExportCells = {
  /** `text` and `number` as they are; `value`: the id of one of `values`; `list`: texts; the modes of dates: ISO 8601. */
  kind: "text" | "number" | "value" | "list" | DateTimeMode;
  /** Level of measurement: names, an order, or amounts. */
  measure: "nominal" | "ordinal" | "scale";
  /** All that a cell of kind `value` may hold; of a number those that have a label. */
  values: readonly ExportValue[];
};
/** An id with what a reader understands. */
export type ExportName = { id: string; label: string };
/** `id` is the questionId or `questionId.part`, `text` what a reader understands. */
export type ExportColumn = ExportCells & {
  id: string;
  text: string;
  /** The value that the column is a part of, and its place there from outside in. Absent: the column is a value by itself. */
  part?: { of: { id: string; text: string }; place: readonly ExportName[] };
  /** The entry of which the cell tells whether it was chosen, 1 or 0. Such columns of one place are a multiple response set. */
  chosen?: ExportName;
};

/** Which lists a question of a type has, and how long each may grow (the length bounds the aggregate's buckets). */
export type ListRules = {
  readonly choices?: { readonly max: number; readonly images?: boolean };
  readonly rows?: { readonly max: number };
  readonly columns?: { readonly max: number; readonly options?: { readonly max: number } };
};

export type QuestionLists = { choices?: Choice[]; rows?: Choice[]; columns?: Column[] };

/**
 * Everything the system knows about one question type. Code outside this package asks these members and never looks
 * at the type itself.
 *
 * `question` is always an element of this type. Members that take a question cache by object identity, so keep the
 * definition of a version in memory and do not mutate it.
 */
export interface QuestionType<S extends TObject = TObject> {
  /** The `type` integer of the API (contract 6.7); never reused. */
  readonly number: number;
  readonly typeName: string;
  /** One line for the API reference. */
  readonly summary: string;
  /** False for content that takes no answer. */
  readonly answerable: boolean;
  /** True when answers name the respondent: they are erased when a contact is anonymized. */
  readonly isPersonal?: boolean;
  /** Shape of `typeSettings`; every property carries its default. */
  readonly settings: S;
  readonly lists: ListRules;
  /** How many cells the lists make, each of which can be counted by itself; types without a matrix lack it. */
  cells?(lists: QuestionLists): number;
  /** Fields of a new question that set one of the type's settings: field → settings key. */
  readonly shorthands: { readonly multipleAnswers?: string; readonly subject?: string };
  /** Shape of an answer's `value`, for documents; `checkValue` decides. */
  readonly valueSchema: TSchema;
  /** What skip logic can ask of an answer. */
  readonly conditions: Conditions;
  /** True when the `distribution` has a histogram of the counted numbers. */
  readonly hasHistogram?: boolean;
  /** True when the aggregate's buckets hold amounts given to an entry instead of the number of answers that name it. */
  readonly countsAmounts?: boolean;

  /**
   * Rules between settings, and between settings and lists. Paths are relative to `typeSettings`. `previous` is null
   * for a new question.
   */
  checkSettings?(settings: Static<S>, lists: QuestionLists, previous: Static<S> | null): readonly Fault[];
  /** Fills settings that need an id or an earlier value. `previous` is null for a new question. */
  completeSettings?(settings: Static<S>, previous: Static<S> | null, newId: () => string): Static<S>;
  /** The text respondents see, for types that word their own question. */
  fixedText?(settings: Static<S>): string;
  /** What the change of each setting does to answers there are; looked up for those that changed. */
  settingEffects(before: Static<S>, after: Static<S>): Readonly<Record<keyof Static<S>, SettingEffect>>;
  /** Settings that show the answers of both versions of a question, for results over all versions. */
  mergeSettings?(older: Static<S>, newer: Static<S>): Static<S>;

  /** Every fault of an answer, paths relative to its `value`. Never throws, whatever JSON it is given. */
  checkValue(question: Question, value: unknown, context?: ValueContext): readonly Fault[];
  /** The files that a value names, whatever JSON it is; types whose answers name none lack it. */
  fileIds?(value: unknown): string[];
  /** What a question asks of each of its files; types whose answers name none lack it. */
  fileRules?(question: Question): FileRules;
  /** The value with what is known of each file it names, instead of what was given of it. Never throws. */
  withFiles?(value: unknown, find: (fileId: string) => FileFacts | undefined): unknown;
  /** A value that `checkValue` accepts and people might give, for trials; undefined when none is found. */
  sample(question: Question, random: Random): unknown;
  /** True for values that take an answer back instead of giving one. */
  isEmpty(value: unknown): boolean;
  /** The accepted value with ids replaced by labels; dropdown matrix only (contract 6.7). */
  valueLabels?(question: Question, value: unknown): unknown;
  /** What an accepted value adds to the aggregate. */
  tally(question: Question, value: unknown): Tally;
  /** The `distribution` of aggregation results (JSON). Never throws, also not on buckets of other versions. */
  distribution(question: Question, stats: AnswerStats): Record<string, unknown>;
  /** The export columns of the question; depends on the question alone. */
  exportColumns(question: Question): ExportColumn[];
  /** One cell per export column, in order, entries as their ids; accepts values of every version and null. */
  exportCells(question: Question, value: unknown): QuestionCell[];
  /** The items a loop over this question runs through, in the question's order. Types that cannot be looped lack it. */
  loopItems?(question: Question, value: unknown): string[];
  /** Whether a page can be made to repeat for what is chosen: with a single choice there is nothing to repeat. */
  canLoop?(question: Question): boolean;
}
