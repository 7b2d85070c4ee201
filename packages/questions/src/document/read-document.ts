import { checkShape, joinPath, shapeViolations, type Violation } from "@canvass/inputs";
import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import type { Page, Question, SurveyDefinition } from "../definition.ts";
import { namesOf, nameViolations, readName } from "../element-names.ts";
import { fieldViolations } from "../fields/field-violations.ts";
import { readFields } from "../fields/read-fields.ts";
import { listsOf } from "../survey-lists.ts";
import { quotaViolations } from "../quotas/quota-violations.ts";
import { mostViolations } from "../most-violations.ts";
import { mostQuestions } from "../new-questions.ts";
import { newLogicViolations } from "../structure/logic-violations.ts";
import {
  addWeights,
  emptyWeight,
  listsWeight,
  pageWeight,
  questionWeight,
  ruleViolations,
  weightViolations,
} from "../weight.ts";
import { isDefaultKey } from "./document-keys.ts";
import { documentCondition, documentFrame, pageFrame } from "./document-schema.ts";
import { formerByKey, type FormerSurvey } from "./former-survey.ts";
import { readDocumentQuotas } from "./read-document-quotas.ts";
import { readElement, type ReadContext } from "./read-element.ts";
import { readLoop, readRule, type DocumentRule, type Nameable } from "./read-rules.ts";
import { sameJson } from "./same-json.ts";

export interface ReadDocument {
  /** Pages and elements that did not change are the same objects as before. */
  definition: SurveyDefinition;
  /** The keys of the document that are not made of ids. */
  keys: ReadonlyMap<string, string>;
  violations: Violation[];
}

interface ReadPage {
  path: string;
  input: JsonObject;
  pageId: string;
  former: Page | undefined;
  isSound: boolean;
  /** Index in the document of each rule of the definition's page. */
  rulesAt: number[];
  elements: { key: unknown; name: string | undefined; path: string; question: Question | undefined }[];
}

/**
 * Reads pages, elements and logic of a survey's document (contract 6.14). What has the same key as before keeps its id.
 * `settings` and values of the survey's fields are left to the caller. Yields after each element and page.
 */
export function* readingDocument(
  document: JsonObject,
  former: FormerSurvey,
  { newId, isAnswered }: Pick<ReadContext, "newId" | "isAnswered">,
): Generator<void, ReadDocument> {
  const violations = shapeViolations(documentFrame, document);
  const keys = new Map<string, string>();
  const context: ReadContext = { former: formerByKey(former), newId, isAnswered, keys, violations };
  const list = ownValue(document, "pages");
  const pages: ReadPage[] = [];
  let read = 0;
  for (const [at, input] of (Array.isArray(list) ? list : []).entries()) {
    const page = yield* readPage(input, `pages.${at}`, context);
    pages.push(page);
    read += page.elements.length;
    if (read > mostQuestions) {
      violations.push({
        path: `pages.${at}`,
        message: `must not bring the elements of the survey above ${mostQuestions}`,
      });
    }
    if (read > mostQuestions || violations.length >= mostViolations) break;
  }
  const nameable = nameableOf(pages, context);
  violations.push(...repeatedNames(pages, former));
  const lists = listsOf({
    fields: readFields(ownValue(document, "fields")),
    quotas: readDocumentQuotas(document, former.definition.quotas ?? [], nameable, newId, violations),
  });
  const definition: SurveyDefinition = { pages: [], ...lists };
  for (const page of pages) {
    definition.pages.push(withLogic(page, nameable, violations));
    yield;
  }
  violations.push(...fieldViolations(definition.fields ?? [], namesOf(definition), "fields"));
  // A quota of a faulty question is left out, which moves the places of the others.
  if (violations.length === 0) {
    violations.push(
      ...quotaViolations(definition, "quotas").map(({ path, message }) => ({
        path: path.replace(/\.elementId$/, ".element"),
        message,
      })),
    );
  }
  violations.push(...ruleViolations(definition, "pages"), ...(yield* overweight(definition, pages)));
  const ofLogic = yield* newLogicViolations(former.definition, definition);
  violations.push(...ofLogic.map(({ path, message }) => ({ path: placeInDocument(path, pages), message })));
  return { definition, keys, violations };
}

function* readPage(value: unknown, path: string, context: ReadContext): Generator<void, ReadPage> {
  const { violations, former, newId, keys } = context;
  const before = violations.length;
  checkShape(pageFrame, value, path, violations);
  const input = isJsonObject(value) ? value : {};
  checkRuleConditions(documentCondition, ownValue(input, "skipLogic"), `${path}.skipLogic`, violations);
  const isSound = violations.length === before;
  const key = String(input["key"]);
  const had = former.page(key);
  const pageId = had?.pageId ?? newId();
  if (!isDefaultKey("page", pageId, key)) keys.set(pageId, key);
  const page: ReadPage = { path, input, pageId, former: had, isSound, rulesAt: [], elements: [] };
  const list = ownValue(input, "elements");
  for (const [at, element] of (Array.isArray(list) ? list : []).entries()) {
    const place = `${path}.elements.${at}`;
    const question = readElement(element, place, context);
    const given = isJsonObject(element) ? element : {};
    page.elements.push({ key: ownValue(given, "key"), name: readName(ownValue(given, "name")), path: place, question });
    if (page.elements.length > mostQuestions || violations.length >= mostViolations) break;
    yield;
  }
  return page;
}

/** Finds what logic may name, and refuses keys that are given twice. */
function nameableOf(pages: readonly ReadPage[], { keys, violations }: ReadContext): Nameable {
  const pageIds = new Map<string, string>();
  const elements = new Map<string, Question | undefined>();
  const take = <Value>(known: Map<string, Value>, key: unknown, value: Value, path: string, kind: string) => {
    if (typeof key !== "string") return;
    if (known.has(key)) violations.push({ path: joinPath(path, "key"), message: `is the key of another ${kind}` });
    else known.set(key, value);
  };
  for (const page of pages) {
    const { path, input } = page;
    if (input["key"] === "end") violations.push({ path: joinPath(path, "key"), message: "must not be end" });
    take(pageIds, input["key"], page.pageId, path, "page");
    for (const element of page.elements) take(elements, element.key, element.question, element.path, "element");
  }
  return { elements, pages: pageIds, keys };
}

function repeatedNames(pages: readonly ReadPage[], { keptNames }: FormerSurvey): Violation[] {
  const named = pages.flatMap(({ elements }) => elements);
  const present = new Set(named.map(({ question }) => question?.elementId));
  const absent = [...keptNames].filter(([, elementId]) => !present.has(elementId)).map(([key]) => key);
  return nameViolations(named, new Set(absent));
}

function withLogic(read: ReadPage, nameable: Nameable, violations: Violation[]): Page {
  const { path, input, pageId, former, isSound, elements } = read;
  const readRules = (rules: readonly DocumentRule[]) =>
    rules.flatMap((given, at) => {
      const rule = readRule(given, `${path}.skipLogic.${at}`, nameable, violations);
      if (rule) read.rulesAt.push(at);
      return rule ?? [];
    });
  const {
    title = null,
    loop = null,
    skipLogic = [],
  } = (isSound ? input : {}) as {
    title?: string | null;
    loop?: { element: string } | null;
    skipLogic?: DocumentRule[];
  };
  const page: Page = {
    pageId,
    title,
    loop: readLoop(loop, path, nameable, violations),
    skipLogic: readRules(skipLogic),
    elements: elements.flatMap(({ question }) => question ?? []),
  };
  return former && samePage(former, page) ? former : page;
}

function samePage({ elements: had, ...former }: Page, { elements, ...page }: Page): boolean {
  return (
    sameJson(former, page) && had.length === elements.length && had.every((element, at) => element === elements[at])
  );
}

function* overweight(definition: SurveyDefinition, read: readonly ReadPage[]): Generator<void, Violation[]> {
  const weighed = [];
  for (const { path, question } of read.flatMap(({ elements }) => elements)) {
    if (question) weighed.push({ path, ...questionWeight(question) });
    yield;
  }
  return weightViolations(
    addWeights([emptyWeight, listsWeight(definition), ...definition.pages.map(pageWeight)]),
    weighed,
  );
}

function placeInDocument(path: string, pages: readonly ReadPage[]): string {
  const [, at = "", part = "", rule = ""] = path.split(".");
  const own = part === "skipLogic" ? path.replace(`.${rule}.`, `.${pages[Number(at)]!.rulesAt[Number(rule)]!}.`) : path;
  return own.replace(/\.elementId$/, ".element");
}
