import { type Fault, faultAt, noFaults } from "@canvass/inputs";
import { questionTypeOf } from "./catalogue.ts";
import type { Page, Question, SurveyDefinition } from "./definition.ts";
import type { QuestionLists, QuestionType } from "./question-type.ts";

/**
 * How heavy a survey may be, beyond what any real one needs. What is within can be listed, published, collected and
 * added up without holding up anybody else.
 */
export const weightLimits = {
  /** Cells of one matrix: rows x columns, of a dropdown matrix x options. */
  matrixCells: 10_000,
  /** Cells of all matrices of a survey together. */
  surveyCells: 100_000,
  /** The definition as JSON, in bytes of UTF-8. */
  definitionBytes: 4 * 1024 * 1024,
  /** Pages of a survey. */
  surveyPages: 1_000,
  /** Skip rules of a page, and of all pages of a survey. */
  pageRules: 100,
  surveyRules: 2_000,
} as const;

/** What a part of a survey adds to it: countable cells, and bytes of the definition's JSON. */
export interface Weight {
  cells: number;
  bytes: number;
}

const encoder = new TextEncoder();
const emptyDefinition: SurveyDefinition = { pages: [] };

/** What a survey weighs beside its pages and questions. */
export const emptyWeight: Weight = { cells: 0, bytes: jsonBytes(emptyDefinition) };

/** What a page adds beside its questions. */
export function pageWeight(page: Omit<Page, "elements">): Weight {
  const { pageId, title, loop, skipLogic } = page;
  return { cells: 0, bytes: jsonBytes({ pageId, title, loop, skipLogic, elements: [] }) + comma };
}

/** What a question adds. Retired entries count: they stay in the definition and in results. */
export function questionWeight(question: Question): Weight {
  return { cells: questionTypeOf(question).cells?.(question) ?? 0, bytes: jsonBytes(question) + comma };
}

/** Between two neighbours; of the last of a list it is counted all the same. */
const comma = 1;

function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

export function addWeights(weights: Iterable<Weight>): Weight {
  const sum = { cells: 0, bytes: 0 };
  for (const { cells, bytes } of weights) {
    sum.cells += cells;
    sum.bytes += bytes;
  }
  return sum;
}

/** Whether a question's lists make too large a matrix; the fault is at `path`. */
export function cellFaults(type: QuestionType, lists: QuestionLists, path: string): readonly Fault[] {
  const cells = type.cells?.(lists) ?? 0;
  if (cells <= weightLimits.matrixCells) return noFaults;
  return faultAt(path, `must have at most ${weightLimits.matrixCells} cells (rows x columns x options), not ${cells}`);
}

/** Whether a survey has too many skip rules; the fault is at `path`. */
export function ruleFaults({ pages }: SurveyDefinition, path: string): readonly Fault[] {
  const rules = pages.reduce((sum, { skipLogic }) => sum + skipLogic.length, 0);
  if (rules <= weightLimits.surveyRules) return noFaults;
  return faultAt(path, `must not bring the survey's rules above ${weightLimits.surveyRules}`);
}

/** A question that is to become part of a survey: where the caller finds it, and what it weighs. */
export interface WeighedQuestion extends Weight {
  path: string;
}

/**
 * Judges the weight of a whole survey: `held` is what is there without the questions named. Each bound of the survey is
 * one fault, at the first question with which it is passed.
 */
export function weightFaults(held: Weight, questions: Iterable<WeighedQuestion>): Fault[] {
  const faults = new Map<keyof Weight, Fault>();
  const total = { ...held };
  for (const { path, cells, bytes } of questions) {
    total.cells += cells;
    total.bytes += bytes;
    if (cells > 0 && total.cells > weightLimits.surveyCells && !faults.has("cells")) {
      const message = `must not bring the cells of the survey's matrices above ${weightLimits.surveyCells} together`;
      faults.set("cells", { path, message });
    }
    if (total.bytes > weightLimits.definitionBytes && !faults.has("bytes")) {
      const message = `must not bring the survey's definition above ${weightLimits.definitionBytes} bytes of JSON`;
      faults.set("bytes", { path, message });
    }
  }
  return [...faults.values()];
}
