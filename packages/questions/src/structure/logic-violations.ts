import { type Violation, violationsBelow } from "@canvass/inputs";
import { isSameJson } from "@canvass/values";
import { conditionViolations } from "../conditions/condition-violations.ts";
import { entryPath } from "../conditional-entries.ts";
import { numberOf } from "../constraint-numbers.ts";
import { defaultViolations } from "../default-value.ts";
import type { Loop, Page, Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { listNames } from "../list-names.ts";
import { elementTemplateViolations, pageTitleViolations } from "../piping/template-violations.ts";
import { comparisonViolations } from "../weight.ts";
import { carryViolations } from "./carry-violations.ts";
import { type DefinitionIndex, indexOf, type PlacedElement } from "../definition-index.ts";

/** Returns the violations of a page's loop, logic and placeholders, with paths relative to the page. */
export function pageLogicViolations(definition: SurveyDefinition, pageIndex: number): Violation[] {
  const page = definition.pages[pageIndex]!;
  const { loop, skipLogic, showIf } = page;
  const index = indexOf(definition);
  return [
    ...blockViolations(definition, pageIndex, index),
    ...(loop ? loopViolations(loop, page, index) : []),
    ...pageTitleViolations(page, pageIndex, index),
    ...(loop?.shuffle && skipLogic.length > 0 ? orderViolations : []),
    ...(showIf ? conditionViolations(showIf, "showIf", index.fields, (id) => findBefore(id, page, index)) : []),
    ...skipLogic.flatMap((rule, at) =>
      violationsBelow(`skipLogic.${at}`, ruleViolations(rule, pageIndex, definition.pages, index)),
    ),
    ...index.placed[pageIndex]!.flatMap((element, at) =>
      violationsBelow(`elements.${at}`, [
        ...elementLogicViolations(element, index),
        ...elementTemplateViolations(element, index),
      ]),
    ),
  ];
}

function findBefore(elementId: string, page: Page, { elements, pageIndexes }: DefinitionIndex): PlacedElement | string {
  const asked = elements.get(elementId);
  if (!asked || asked.pageIndex >= pageIndexes.get(page.pageId)!) return "must name a question on an earlier page";
  return isOfBlock(page, asked.page) ? ofSameBlock : asked;
}

const isOfBlock = ({ block }: Page, other: Page): boolean => block !== undefined && block === other.block;
const ofSameBlock = "must not name a question of another page of its block, whose pages are shuffled";

/** A rule that leaves a block would decide by chance which of its pages come before it. */
function blockViolations(
  { pages }: SurveyDefinition,
  pageIndex: number,
  { firstOfBlock }: DefinitionIndex,
): Violation[] {
  const { block, skipLogic } = pages[pageIndex]!;
  if (block === undefined) return [];
  const isApart = firstOfBlock.get(block) !== pageIndex && pages[pageIndex - 1]?.block !== block;
  const message = "must be of pages that follow each other, without others between them";
  return [
    ...(isApart ? [{ path: "block", message }] : []),
    ...(skipLogic.length > 0
      ? [
          { path: "block", message: "cannot be combined with skipLogic" },
          { path: "skipLogic", message: "cannot be combined with block" },
        ]
      : []),
  ];
}

const shuffledTogether = "must not name another question of a page whose elements are shuffled";

/** Returns the violations of the logic of an element, with paths relative to the element. */
export function elementLogicViolations(element: PlacedElement, { elements, fields }: DefinitionIndex): Violation[] {
  const { showIf, requiredIf, constraints = [], entries = {}, choicesFrom } = element.question.logic ?? {};
  const ofDefault = choicesFrom ? [] : defaultViolations(element.question, element.type);
  const find = (mayAskItself: boolean) => (elementId: string) => {
    const asked = elements.get(elementId);
    const isBefore = asked && (mayAskItself ? asked.order <= element.order : asked.order < element.order);
    if (!isBefore) return `must name ${mayAskItself ? "this question or one" : "a question"} before it`;
    if (asked.page === element.page && element.page.shuffle && asked !== element) return shuffledTogether;
    if (asked.page !== element.page && isOfBlock(element.page, asked.page)) return ofSameBlock;
    const isOfOtherLoop = element.page.loop && asked.page.loop && asked.page !== element.page;
    return isOfOtherLoop ? "must not name a question of another page that repeats" : asked;
  };
  const { answerable, typeName } = element.type;
  if (!answerable && (requiredIf || constraints.length > 0)) {
    const path = requiredIf ? "requiredIf" : "constraints";
    return [
      { path, message: `is not supported by ${typeName}` },
      ...carryViolations(element, find(false)),
      ...ofDefault,
    ];
  }
  return [
    ...(showIf ? conditionViolations(showIf, "showIf", fields, find(false)) : []),
    ...(requiredIf ? conditionViolations(requiredIf, "requiredIf", fields, find(false)) : []),
    ...constraints.flatMap(({ must }, at) => conditionViolations(must, `constraints.${at}.must`, fields, find(true))),
    ...Object.entries(entries).flatMap(([id, condition]) =>
      conditionViolations(condition, `${entryPath(element.question, id)}.showIf`, fields, find(false)),
    ),
    ...carryViolations(element, find(false)),
    ...ofDefault,
  ];
}

/** A rule that leaves the loop would decide by chance which items come before it. */
const orderViolations: readonly Violation[] = [
  { path: "loop.shuffle", message: "cannot be combined with skipLogic" },
  { path: "skipLogic", message: "cannot be combined with loop.shuffle" },
];

function loopViolations({ elementId }: Loop, page: Page, index: DefinitionIndex): Violation[] {
  const source = findBefore(elementId, page, index);
  const path = "loop.elementId";
  if (typeof source === "string") return [{ path, message: source }];
  if (!source.type.canLoop?.(source.question)) {
    return [{ path, message: "must name a choice question that takes several answers" }];
  }
  if (source.page.loop) return [{ path, message: "must name a question on a page that does not repeat" }];
  return [];
}

function ruleViolations(
  { when, goTo }: SkipRule,
  pageIndex: number,
  pages: readonly Page[],
  index: DefinitionIndex,
): Violation[] {
  const violations = conditionViolations(when, "when", index.fields, (elementId) => {
    const asked = index.elements.get(elementId);
    return asked && asked.pageIndex <= pageIndex ? asked : "must name a question on this or an earlier page";
  });
  const target = goTo === "end" ? index.pageIndexes.size : (index.pageIndexes.get(goTo) ?? -1);
  const message = goToMessage(target, pageIndex, pages, index);
  return message === null ? violations : [...violations, { path: "goTo", message }];
}

function goToMessage(target: number, pageIndex: number, pages: readonly Page[], { firstOfBlock }: DefinitionIndex) {
  if (target <= pageIndex) return "must name a later page, or end";
  const { block } = pages[target] ?? {};
  const isInside = block !== undefined && firstOfBlock.get(block) !== target;
  return isInside ? "must name the first page of a block, whose pages are shuffled" : null;
}

/**
 * Returns the violations of logic and placeholders of some elements. `paths`: where the caller has each, by id. Yields
 * after each element.
 */
export function* placedLogicViolations(
  definition: SurveyDefinition,
  paths: ReadonlyMap<string, string>,
): Generator<void, Violation[]> {
  const index = indexOf(definition);
  const violations: Violation[] = [];
  for (const [elementId, path] of paths) {
    const element = index.elements.get(elementId)!;
    const own = [...elementLogicViolations(element, index), ...elementTemplateViolations(element, index)];
    violations.push(...violationsBelow(path, own));
    yield;
  }
  const [first = ""] = paths.values();
  return [...violations, ...comparisonViolations(definition, first)];
}

/** Returns the violations of logic and placeholders that only `after` has. Yields after each page. */
export function* newLogicViolations(before: SurveyDefinition, after: SurveyDefinition): Generator<void, Violation[]> {
  const rulesBefore = new Map(before.pages.map(({ pageId, skipLogic }) => [pageId, skipLogic]));
  const found: { key: string; violation: Violation }[] = [];
  for (const [index, page] of after.pages.entries()) {
    for (const each of pageLogicViolations(after, index)) {
      found.push({ key: keyOf(page, each, rulesBefore), violation: { ...each, path: `pages.${index}.${each.path}` } });
    }
    yield;
  }
  if (found.length === 0) return [];
  const old = new Set<string>();
  for (const [index, page] of before.pages.entries()) {
    for (const each of pageLogicViolations(before, index)) old.add(keyOf(page, each, rulesBefore));
    yield;
  }
  return found.filter(({ key }) => !old.has(key)).map(({ violation }) => violation);
}

/** Stays the same when an edit moves, adds or removes elements, entries, constraints or rules. */
function keyOf(
  { pageId, elements, skipLogic }: Page,
  { path, message }: Violation,
  rulesBefore: ReadonlyMap<string, readonly SkipRule[]>,
): string {
  const [, list, position, below = ""] = /^(elements|skipLogic)\.(\d+)\.(.*)$/.exec(path) ?? [];
  const at = Number(position);
  if (list === "elements") {
    const question = elements[at]!;
    return JSON.stringify([question.elementId, withoutPositions(question, below), message]);
  }
  if (list === undefined) return JSON.stringify([pageId, path, message]);
  const same = rulesBefore.get(pageId)?.findIndex((rule) => isSameJson(rule, skipLogic[at]));
  return JSON.stringify([pageId, "skipLogic", same ?? -1, below, message]);
}

/** Names entries by their ids, and constraints by their numbers. */
function withoutPositions(question: Question, path: string): string {
  const [first = "", position = "", ...below] = path.split(".");
  const at = Number(position);
  const constraint = first === "constraints" ? question.logic?.constraints?.[at] : undefined;
  const list = listNames.find((each) => each === first);
  const entry = list && question[list]?.[at];
  const name = constraint ? numberOf(constraint, at) : (entry?.id ?? position);
  return [first, name, ...below].join(".");
}
