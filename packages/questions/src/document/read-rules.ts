import { joinPath, type Violation } from "@canvass/inputs";
import type { JsonObject } from "@canvass/values";
import { conditionalLists } from "../conditional-entries.ts";
import type {
  AnswerCondition,
  Comparison,
  Condition,
  ConditionTree,
  ContextCondition,
  Operator,
} from "../conditions/condition.ts";
import { asksAnswers, mapLeaves } from "../conditions/tree.ts";
import type { WhichChoices } from "../choices-from.ts";
import { resolveChoiceNames } from "../default-value.ts";
import { withDeclaredField } from "../conditions/named-conditions.ts";
import type { ElementLogic, Loop, Question, SkipRule, SurveyDefinition } from "../definition.ts";
import type { DocumentKeys } from "./document-keys.ts";
import { targetWithIds } from "./rule-targets.ts";

export type DocumentComparison = { element: string; operator: Operator; value?: unknown; answerOf?: string };
export type DocumentCondition = ConditionTree<DocumentComparison | ContextCondition>;

export interface DocumentRule {
  when: DocumentCondition;
  goTo: string;
}

/** What loops and logic of a document may name. */
export interface Nameable {
  /** By key; undefined for an element that has violations itself. */
  elements: ReadonlyMap<string, Question | undefined>;
  fields: SurveyDefinition["fields"];
  /** Page ids by key. */
  pages: ReadonlyMap<string, string>;
  keys: DocumentKeys;
}

const noElement = "is not the key of an element of this document";

export function readLoop(
  loop: { element: string; shuffle?: boolean } | null,
  path: string,
  { elements }: Nameable,
  violations: Violation[],
): Loop | null {
  if (loop === null) return null;
  if (!elements.has(loop.element)) violations.push({ path: joinPath(path, "loop.element"), message: noElement });
  const question = elements.get(loop.element);
  return question ? { elementId: question.elementId, ...(loop.shuffle && { shuffle: true }) } : null;
}

/** Returns undefined after violations, and for an element that has violations itself. */
export function readRule(
  { when, goTo }: DocumentRule,
  path: string,
  nameable: Nameable,
  violations: Violation[],
): SkipRule | undefined {
  const before = violations.length;
  const pageId = goTo === "end" ? goTo : nameable.pages.get(goTo);
  if (pageId === undefined) {
    violations.push({ path: joinPath(path, "goTo"), message: "must be the key of a later page, or end" });
  }
  const condition = readCondition(when, joinPath(path, "when"), nameable, violations);
  return condition === undefined || violations.length > before ? undefined : { when: condition, goTo: pageId! };
}

/** Returns undefined after violations, and for an element that has violations itself. */
export function readCondition(
  condition: DocumentCondition,
  path: string,
  nameable: Nameable,
  violations: Violation[],
): Condition | undefined {
  const before = violations.length;
  const read = mapLeaves(
    condition,
    (leaf, at): Comparison | undefined =>
      asksAnswers(leaf)
        ? readComparison(leaf, at, nameable, violations)
        : withoutNull(withDeclaredField(leaf, nameable.fields)),
    path,
  );
  return violations.length > before ? undefined : read;
}

interface DocumentLogic {
  showIf?: DocumentCondition | null;
  requiredIf?: DocumentCondition | null;
  constraints?: { must: DocumentCondition; message: string }[] | null;
  defaultValue?: unknown;
  choicesFrom?: { element: string; which?: WhichChoices } | null;
}

/**
 * Reads the logic of an element whose fields are valid. Leaves out invalid parts; one invalid constraint leaves out
 * all.
 */
export function readLogic(
  { showIf, requiredIf, constraints, defaultValue = null, choicesFrom }: DocumentLogic,
  question: Question,
  path: string,
  nameable: Nameable,
  violations: Violation[],
): ElementLogic {
  const read = (condition: DocumentCondition | null | undefined, at: string) =>
    condition ? readCondition(condition, joinPath(path, at), nameable, violations) : undefined;
  const [shown, required] = [read(showIf, "showIf"), read(requiredIf, "requiredIf")];
  const from = choicesFrom && readSource(choicesFrom, path, nameable, violations);
  const kept = constraints?.flatMap(({ must, message }, at) => {
    const condition = read(must, `constraints.${at}.must`);
    return condition ? [{ must: condition, message }] : [];
  });
  return {
    ...(shown && { showIf: shown }),
    ...(required && { requiredIf: required }),
    ...(constraints && kept?.length === constraints.length && { constraints: kept }),
    ...(defaultValue !== null && {
      defaultValue: targetWithIds(question, defaultValue, nameable.keys) ?? resolveChoiceNames(question, defaultValue),
    }),
    ...(from && { choicesFrom: from }),
  };
}

function readSource(
  { element, which = "selected" }: NonNullable<DocumentLogic["choicesFrom"]>,
  path: string,
  { elements }: Nameable,
  violations: Violation[],
): ElementLogic["choicesFrom"] {
  if (!elements.has(element)) violations.push({ path: joinPath(path, "choicesFrom.element"), message: noElement });
  const source = elements.get(element);
  return source && { elementId: source.elementId, which };
}

/**
 * Reads conditions of choices and rows whose fields are valid, by id. The lists of `question` start with the same
 * entries.
 */
export function readEntryConditions(
  given: JsonObject,
  question: Question,
  path: string,
  nameable: Nameable,
  violations: Violation[],
): Record<string, Condition> {
  const conditions: Record<string, Condition> = {};
  for (const list of conditionalLists) {
    for (const [at, { showIf }] of ((given[list] ?? []) as { showIf?: DocumentCondition | null }[]).entries()) {
      const place = joinPath(path, `${list}.${at}.showIf`);
      const read = showIf ? readCondition(showIf, place, nameable, violations) : undefined;
      if (read) conditions[question[list]![at]!.id] = read;
    }
  }
  return conditions;
}

/** A value of null counts as no value. */
function withoutNull({ value, ...leaf }: ContextCondition): ContextCondition {
  return value === undefined || value === null ? leaf : { ...leaf, value };
}

function readComparison(
  { element, operator, value, answerOf }: DocumentComparison,
  path: string,
  { elements, keys }: Nameable,
  violations: Violation[],
): AnswerCondition | undefined {
  if (!elements.has(element)) violations.push({ path: joinPath(path, "element"), message: noElement });
  const isOtherKnown = answerOf === undefined || elements.has(answerOf);
  if (!isOtherKnown) violations.push({ path: joinPath(path, "answerOf"), message: noElement });
  const question = elements.get(element);
  const other = answerOf === undefined ? undefined : elements.get(answerOf);
  if (!question || (answerOf !== undefined && !other)) return undefined;
  const isGiven = value !== undefined && value !== null;
  const target = isGiven ? targetWithIds(question, value, keys) : undefined;
  if (isGiven && target === undefined) {
    const message = "must be the key of an entry of the question (`column.option` for an option), or a list of them";
    violations.push({ path: joinPath(path, "value"), message });
  }
  return {
    elementId: question.elementId,
    operator,
    ...(isGiven && { value: target }),
    ...(other && { answerOf: other.elementId }),
  };
}
