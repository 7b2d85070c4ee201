import { type Violation, violationsBelow } from "@canvass/inputs";
import { conditionViolations } from "../conditions/condition-violations.ts";
import type { Loop, SkipRule, SurveyDefinition } from "../definition.ts";
import { comparisonViolations } from "../weight.ts";
import { type DefinitionIndex, indexOf, type PlacedElement } from "../definition-index.ts";

/** Returns the violations of a page's loop and skip logic, with paths relative to the page. */
export function pageLogicViolations(definition: SurveyDefinition, pageIndex: number): Violation[] {
  const { loop, skipLogic, showIf } = definition.pages[pageIndex]!;
  const index = indexOf(definition);
  return [
    ...(loop ? loopViolations(loop, pageIndex, index) : []),
    ...(loop?.shuffle && skipLogic.length > 0 ? orderViolations : []),
    ...(showIf ? conditionViolations(showIf, "showIf", index.fields, (id) => findBefore(id, pageIndex, index)) : []),
    ...skipLogic.flatMap((rule, at) => violationsBelow(`skipLogic.${at}`, ruleViolations(rule, pageIndex, index))),
    ...index.placed[pageIndex]!.flatMap((element, at) =>
      violationsBelow(`elements.${at}`, elementLogicViolations(element, index)),
    ),
  ];
}

function findBefore(elementId: string, pageIndex: number, { elements }: DefinitionIndex): PlacedElement | string {
  const asked = elements.get(elementId);
  return asked && asked.pageIndex < pageIndex ? asked : "must name a question on an earlier page";
}

const shuffledTogether = "must not name another question of a page whose elements are shuffled";

/** Returns the violations of the logic of an element, with paths relative to the element. */
export function elementLogicViolations(element: PlacedElement, { elements, fields }: DefinitionIndex): Violation[] {
  const { showIf, requiredIf, constraints = [] } = element.question.logic ?? {};
  const find = (mayAskItself: boolean) => (elementId: string) => {
    const asked = elements.get(elementId);
    const isBefore = asked && (mayAskItself ? asked.order <= element.order : asked.order < element.order);
    if (!isBefore) return `must name ${mayAskItself ? "this question or one" : "a question"} before it`;
    if (asked.page === element.page && element.page.shuffle && asked !== element) return shuffledTogether;
    const isOfOtherLoop = element.page.loop && asked.page.loop && asked.page !== element.page;
    return isOfOtherLoop ? "must not name a question of another page that repeats" : asked;
  };
  const { answerable, typeName } = element.type;
  if (!answerable && (requiredIf || constraints.length > 0)) {
    const path = requiredIf ? "requiredIf" : "constraints";
    return [{ path, message: `is not taken by ${typeName}` }];
  }
  return [
    ...(showIf ? conditionViolations(showIf, "showIf", fields, find(false)) : []),
    ...(requiredIf ? conditionViolations(requiredIf, "requiredIf", fields, find(false)) : []),
    ...constraints.flatMap(({ must }, at) => conditionViolations(must, `constraints.${at}.must`, fields, find(true))),
  ];
}

/** A rule that leaves the loop would decide by chance which items come before it. */
const orderViolations: readonly Violation[] = [
  { path: "loop.shuffle", message: "does not go together with skipLogic" },
  { path: "skipLogic", message: "does not go together with loop.shuffle" },
];

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
  const violations = conditionViolations(when, "when", index.fields, (elementId) => {
    const asked = index.elements.get(elementId);
    return asked && asked.pageIndex <= pageIndex ? asked : "must name a question on this or an earlier page";
  });
  const target = goTo === "end" ? index.pageIndexes.size : (index.pageIndexes.get(goTo) ?? -1);
  return target > pageIndex ? violations : [...violations, { path: "goTo", message: "must name a later page, or end" }];
}

/** Returns the logic violations of some elements, by id located at a path of the caller. Yields after each element. */
export function* placedLogicViolations(
  definition: SurveyDefinition,
  paths: ReadonlyMap<string, string>,
): Generator<void, Violation[]> {
  const index = indexOf(definition);
  const violations: Violation[] = [];
  for (const [elementId, path] of paths) {
    violations.push(...violationsBelow(path, elementLogicViolations(index.elements.get(elementId)!, index)));
    yield;
  }
  const [first = ""] = paths.values();
  return [...violations, ...comparisonViolations(definition, first)];
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
