import type { DistributionShape } from "./distribution-schemas.ts";
import type { Violation } from "@canvass/inputs";
import type { Static, TObject, TSchema } from "typebox";
import type { SettingEffect } from "./change-class.ts";
import type { Conditions } from "./conditions/targets.ts";
import type { DateTimeMode } from "./dates.ts";
import type { Choice, Column, Question } from "./definition.ts";
import type { EntryMark } from "./entry-marks.ts";
import type { PipedText } from "./piping/piped-answers.ts";
import type { Random } from "./samples/random.ts";
import type { AnswerStats, Tally } from "./tally.ts";

export type ValueContext = {
  /** Accepts retired choices, to validate an existing answer again. Default: refuses them. */
  allowRetired?: boolean;
  /** Ids of choices and rows that are not shown: an answer may name them, but they count for no other rule. */
  hidden?: ReadonlySet<string>;
};

export type FileFacts = { name: string; size: number; mimeType: string };

/** Limits of a question's files: bytes, and extensions without the dot (none: any). */
export type FileRules = { maxBytes: number; extensions: readonly string[] };

/** How an export writes names: `labels` as respondents saw them, `ids`, or both as `label [id]`. */
export type ExportLabels = "ids" | "labels" | "both";
export type ExportCell = string | number | null;
/** `entryCode` is the code that the survey's author gave an entry. */
export type ExportName = { id: string; label: string; entryCode?: string };
/**
 * `code` is the number that stands for it in coded formats: its position in the list of entries, or the labelled number
 * itself.
 */
export type ExportValue = ExportName & { code: number };
/** Export formats without lists join a list to one text. */
export type QuestionCell = ExportCell | readonly string[];
export type CellFormat = {
  /** `text` and `number`: plain; `value`: the id of one of `values`; `list`: texts; date modes: ISO 8601. */
  kind: "text" | "number" | "value" | "list" | DateTimeMode;
  measure: "nominal" | "ordinal" | "scale";
  /** All values of kind `value`; for numbers, those with a label. */
  values: readonly ExportValue[];
};
/** `id` is the questionId or `questionId.part`; `text` is readable. */
export type ExportColumn = CellFormat & {
  id: string;
  text: string;
  /**
   * The question whose value this column is part of, and the path in that value. Absent for the whole value, and for a
   * text beside it (`about`).
   */
  part?: { question: { id: string; text: string }; path: readonly ExportName[] };
  /** The entry that a 1 or 0 marks as chosen or not. Columns of one path form a multiple response set. */
  chosen?: ExportName;
  /** The entry that a text besides the answer belongs to. */
  about?: ExportName;
};

export type ListRules = {
  readonly choices?: {
    readonly max: number;
    readonly images?: boolean;
    readonly marks: readonly EntryMark[];
    readonly showIf: true;
  };
  readonly rows?: {
    readonly max: number;
    readonly fields?: boolean;
    readonly marks?: readonly EntryMark[];
    readonly showIf: true;
  };
  readonly columns?: {
    readonly max: number;
    readonly marks: readonly EntryMark[];
    readonly options?: { readonly max: number };
  };
};

export type QuestionLists = { choices?: Choice[]; rows?: Choice[]; columns?: Column[] };

/**
 * Rules of a type belong here; code outside tests for a type only where it draws or converts it. Members cache by question
 * object, so never mutate a definition.
 */
export interface QuestionType<S extends TObject = TObject> {
  /** The `type` integer of the API (contract 6.7); never reused. */
  readonly number: number;
  readonly typeName: string;
  readonly summary: string;
  readonly answerable: boolean;
  /** True if answers may identify the respondent: anonymizing a contact erases them. */
  readonly isPersonal?: boolean;
  readonly settings: S;
  readonly lists: ListRules;
  /** Number of cells that are counted separately, for matrix types. */
  cells?(lists: QuestionLists): number;
  /** Settings keys by the field of a new question that sets them. */
  readonly shorthands: { readonly multipleAnswers?: string; readonly subject?: string; readonly textFormat?: string };
  /** Shape of an answer's `value`, for API documents; `checkValue` validates it. */
  readonly valueSchema: TSchema;
  /** Shape of the values of answers to this question, where it is narrower. A list names retired entries, too. */
  answerSchema?(question: Question): TSchema;
  /**
   * Shape of `distribution` in results, for API documents. A name instead of the schema, which keeps the schemas of
   * results out of the respondent page's bundle.
   */
  readonly distributionShape: DistributionShape;
  readonly conditions: Conditions;
  /** Its answers are chosen choices, which later questions can carry. */
  readonly canBeCarried?: true;
  /** Returns what conditions compare in place of a value that can be written in several ways. */
  comparedAs?(question: Question, value: unknown): unknown;
  readonly hasHistogram?: boolean;
  /** True if buckets hold the amounts that an entry received, not the number of answers that name it. */
  readonly countsAmounts?: boolean;

  /** Checks rules between settings, and with lists. Paths are relative to `typeSettings`. `previous`: null if new. */
  checkSettings?(settings: Static<S>, lists: QuestionLists, previous: Static<S> | null): readonly Violation[];
  /** Fills settings that need an id or an earlier value. `previous` is null for a new question. */
  completeSettings?(settings: Static<S>, previous: Static<S> | null, newId: () => string): Static<S>;
  /** Makes the question's text of its setting `subject`. */
  fixedText?(settings: Static<S>): string;
  /** Paths of the texts in settings that respondents see, which translations translate. */
  textSettings?(settings: Static<S>): readonly string[];
  settingEffects(before: Static<S>, after: Static<S>): Readonly<Record<keyof Static<S>, SettingEffect>>;
  /**
   * Returns settings whose export columns hold the answers to both versions. `older` may be of merged versions. No
   * other rule reads them, so they may be others than a question can have.
   */
  mergeSettings?(older: Static<S>, newer: Static<S>): Record<keyof Static<S>, unknown>;

  /** Returns every violation of an answer, with paths relative to its `value`. Never throws, for any JSON. */
  checkValue(question: Question, value: unknown, context?: ValueContext): readonly Violation[];
  fileIds?(value: unknown): string[];
  fileRules?(question: Question): FileRules;
  /** Replaces the caller's facts about files by the known facts. Never throws. */
  withFiles?(value: unknown, find: (fileId: string) => FileFacts | undefined): unknown;
  /** Returns a realistic value that `checkValue` accepts, for trials; undefined if none is found. */
  sample(question: Question, random: Random): unknown;
  /** True for values that withdraw an answer. */
  isEmpty(value: unknown): boolean;
  /** Words an answer for other texts (contract 6.19); absent where an answer is no single text. Never throws. */
  readonly pipedText?: PipedText;
  /** Replaces ids by labels in a valid value; dropdown matrix only (contract 6.7). */
  valueLabels?(question: Question, value: unknown): unknown;
  tally(question: Question, value: unknown): Tally;
  /** Returns the `distribution` of aggregation results (JSON). Never throws, even for buckets of other versions. */
  distribution(question: Question, stats: AnswerStats): Record<string, unknown>;
  exportColumns(question: Question): ExportColumn[];
  /** Returns one cell per export column, in order, with entries as ids. Accepts values of every version and null. */
  exportCells(question: Question, value: unknown): QuestionCell[];
  /** Returns the items of a loop over this question, in its order; only for types that can be looped. */
  loopItems?(question: Question, value: unknown): string[];
  canLoop?(question: Question): boolean;
}
