import { type Violation, violationsBelow } from "@canvass/inputs";
import { questionTypeOf } from "../catalogue.ts";
import type { Loop, Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { type DefinitionIndex, indexOf, type PlacedElement } from "../definition-index.ts";

/** Returns the violations of a page's loop and skip logic, with paths relative to the page. */
export function pageLogicViolations(definition: SurveyDefinition, pageIndex: number): Violation[] {
  const { loop, skipLogic } = definition.pages[pageIndex]!;
  const index = indexOf(definition);
  return [
    ...(loop ? loopViolations(loop, pageIndex, index) : []),
    ...skipLogic.flatMap((rule, at) => violationsBelow(`skipLogic.${at}`, ruleViolations(rule, pageIndex, index))),
  ];
}

function loopViolations({ elementId }: Loop, pageIndex: number, { elements }: DefinitionIndex): Violation[] {
  const source = elements.get(elementId);
  const path = "loop.elementId";
  if (!source || source.pageIndex >= pageIndex) return [{ path, message: "must name a question on an earlier page" }];
  if (!source.type.canLoop?.(source.question)) {
    return [{ path, message: "must name a choice question that takes several answers" }];
  }
  if (source.page.loop) return [{ path, message: "must name a question on a page that does not repeat itself" }];
  return [];
}

function ruleViolations({ when, goTo }: SkipRule, pageIndex: number, index: DefinitionIndex): Violation[] {
  const asked = index.elements.get(when.elementId);
  const violations = asked && asked.pageIndex <= pageIndex ? conditionViolations(asked, when) : [notAsked];
  const target = goTo === "end" ? index.pageIndexes.size : (index.pageIndexes.get(goTo) ?? -1);
  return target > pageIndex ? violations : [...violations, { path: "goTo", message: "must name a later page, or end" }];
}

const notAsked: Violation = { path: "when.elementId", message: "must name a question on this or an earlier page" };

function conditionViolations(
  { question, type }: Pick<PlacedElement, "question" | "type">,
  { operator, value }: SkipRule["when"],
): Violation[] {
  if (!type.answerable)
    return [{ path: "when.elementId", message: `must name a question; ${type.typeName} takes no answer` }];
  const isGiven = value !== undefined && value !== null;
  if (operator === "answered" || operator === "not_answered") {
    return isGiven ? [{ path: "when.value", message: `is not taken by ${operator}` }] : [];
  }
  const check = type.conditions[operator];
  if (!check) {
    const known = ["answered", "not_answered", ...Object.keys(type.conditions)].join(", ");
    return [{ path: "when.operator", message: `does not fit ${type.typeName}; operators of it are ${known}` }];
  }
  const message = isGiven ? check(question, value) : "is required";
  return message ? [{ path: "when.value", message }] : [];
}

export function fitsCondition(question: Question, when: SkipRule["when"]): boolean {
  return conditionViolations({ question, type: questionTypeOf(question) }, when).length === 0;
}

/** Returns the logic violations that only `after` has. Yields after each page. */
export function* newLogicViolations(before: SurveyDefinition, after: SurveyDefinition): Generator<void, Violation[]> {
  const known = indexOf(before).pageIndexes;
  const violations: Violation[] = [];
  for (const [index, { pageId }] of after.pages.entries()) {
    const found = pageLogicViolations(after, index);
    const earlier = found.length > 0 ? known.get(pageId) : undefined;
    const old = new Set(earlier === undefined ? [] : pageLogicViolations(before, earlier).map(keyOf));
    const added = found.filter((violation) => !old.has(keyOf(violation)));
    violations.push(...violationsBelow(`pages.${index}`, added));
    yield;
  }
  return violations;
}

const keyOf = ({ path, message }: Violation): string => `${path} ${message}`;
