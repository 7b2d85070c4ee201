import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { questionTypeOf } from "./catalogue.ts";
import { leavesOf } from "./conditions/tree.ts";
import { conditionsOf } from "./element-logic.ts";
import { choicesAndOther } from "./chosen-choices.ts";
import type { Condition } from "./conditions/condition.ts";
import type { Page, Question, SurveyDefinition } from "./definition.ts";
import { findElement } from "./definition-index.ts";
import { listsOf, type SurveyLists } from "./survey-lists.ts";
import type { QuestionLists, QuestionType } from "./question-type.ts";
import { withoutTranslations } from "./quotas/quota.ts";
import { weightLimits } from "./weight-limits.ts";

export { weightLimits } from "./weight-limits.ts";

export interface Weight {
  cells: number;
  bytes: number;
}

const encoder = new TextEncoder();
const emptyDefinition: SurveyDefinition = { pages: [] };

export const emptyWeight: Weight = { cells: 0, bytes: jsonBytes(emptyDefinition) };

export function pageWeight(page: Omit<Page, "elements">): Weight {
  const { pageId, title, loop, showIf, skipLogic, shuffle, block } = page;
  return {
    cells: 0,
    bytes: jsonBytes({ pageId, title, loop, showIf, skipLogic, shuffle, block, elements: [] }) + comma,
  };
}

export function listsWeight({ fields, quotas }: SurveyLists): Weight {
  const lists = listsOf({ ...(fields && { fields }), ...(quotas && { quotas: quotas.map(withoutTranslations) }) });
  return { cells: 0, bytes: jsonBytes(lists) };
}

/** Includes retired entries, which remain in the definition and in results. Translations have their own limit. */
export function questionWeight(given: Question): Weight {
  const { translations: _, ...question } = given;
  return { cells: questionTypeOf(question).cells?.(question) ?? 0, bytes: jsonBytes(question) + comma };
}

/** The separator after a neighbour; also counted after the last one. */
const comma = 1;

export function jsonBytes(value: unknown): number {
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

export function cellViolations(type: QuestionType, lists: QuestionLists, path: string): readonly Violation[] {
  const cells = type.cells?.(lists) ?? 0;
  if (cells <= weightLimits.matrixCells) return noViolations;
  return violationAt(
    path,
    `must have at most ${weightLimits.matrixCells} cells (rows x columns x options), not ${cells}`,
  );
}

/** Limits comparisons in conditions, and questions that carry choices, since both cost time at each answer. */
export function comparisonViolations({ pages, quotas = [] }: SurveyDefinition, path: string): readonly Violation[] {
  const comparisons = comparisonsIn([...pages.flatMap(conditionsOn), ...quotas.map(({ when }) => when)]);
  const carrying = pages.flatMap(({ elements }) => elements.filter(({ logic }) => logic?.choicesFrom)).length;
  if (carrying > weightLimits.carryingQuestions) {
    return violationAt(
      path,
      `must not bring the survey's questions with choicesFrom above ${weightLimits.carryingQuestions}`,
    );
  }
  if (comparisons <= weightLimits.surveyComparisons) return noViolations;
  return violationAt(
    path,
    `must not bring the comparisons of the survey's conditions above ${weightLimits.surveyComparisons}`,
  );
}

const conditionsOn = ({ showIf, skipLogic, elements }: Page): Condition[] => [
  ...(showIf ? [showIf] : []),
  ...skipLogic.map(({ when }) => when),
  ...elements.flatMap(({ logic }) => conditionsOf(logic)),
];

const comparisonsIn = (conditions: readonly Condition[]): number =>
  conditions.reduce((sum, condition) => sum + [...leavesOf(condition)].length, 0);

/** Returns a violation at the first page beyond the limit of comparisons on pages that repeat. */
export function repetitionViolations(definition: SurveyDefinition): readonly Violation[] {
  let sum = 0;
  for (const [index, page] of definition.pages.entries()) {
    const source = page.loop && findElement(definition, page.loop.elementId);
    if (!source) continue;
    sum += comparisonsIn(conditionsOn(page)) * choicesAndOther(source.question).length;
    if (sum <= weightLimits.repeatedComparisons) continue;
    const message = `must not bring the comparisons on pages that repeat, each counted for every choice, above ${weightLimits.repeatedComparisons}`;
    return violationAt(`pages.${index}.loop`, message);
  }
  return noViolations;
}

export interface WeighedQuestion extends Weight {
  path: string;
}

/** Returns a violation per exceeded limit, at the first question beyond it. `held`: the weight without `questions`. */
export function weightViolations(held: Weight, questions: Iterable<WeighedQuestion>): Violation[] {
  const violations = new Map<keyof Weight, Violation>();
  const total = { ...held };
  for (const { path, cells, bytes } of questions) {
    total.cells += cells;
    total.bytes += bytes;
    if (cells > 0 && total.cells > weightLimits.surveyCells && !violations.has("cells")) {
      const message = `must not bring the cells of the survey's matrices above ${weightLimits.surveyCells} together`;
      violations.set("cells", { path, message });
    }
    if (total.bytes > weightLimits.definitionBytes && !violations.has("bytes")) {
      const message = `must not bring the survey's definition above ${weightLimits.definitionBytes} bytes of JSON`;
      violations.set("bytes", { path, message });
    }
  }
  return [...violations.values()];
}
