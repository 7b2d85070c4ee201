import { checkShape, joinPath } from "@canvass/inputs";
import { isJsonObject, isSameJson, ownValue, type JsonObject } from "@canvass/values";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import { checkLogic } from "../conditions/logic-fields.ts";
import type { Page } from "../definition.ts";
import { readName } from "../element-names.ts";
import { mostViolations } from "../most-violations.ts";
import { mostQuestions } from "../new-questions.ts";
import { textsOfPage } from "../translations/text-places.ts";
import { isDefaultKey } from "./document-keys.ts";
import { documentCondition, pageFrame } from "./document-schema.ts";
import { completeElement, readElement, type ElementWithoutLogic, type ReadContext } from "./read-element.ts";
import {
  readCondition,
  readEntryConditions,
  readLogic,
  readLoop,
  readRule,
  type DocumentCondition,
  type DocumentRule,
  type Nameable,
} from "./read-rules.ts";
import { readTranslations } from "./translations.ts";

export interface ElementAtPath {
  path: string;
  input: JsonObject;
  key: unknown;
  name: string | undefined;
  /** Undefined after violations. */
  element: ElementWithoutLogic | undefined;
}

/** A page of a document, whose logic is not read yet. */
export interface PageInput {
  path: string;
  input: JsonObject;
  pageId: string;
  former: Page | undefined;
  hasValidShape: boolean;
  elements: ElementAtPath[];
  /** `rulesAt[i]`: index in the document of the page's rule `i`; invalid rules are dropped. */
  rulesAt: number[];
}

/** Reads a page and its elements, without logic and translations. Yields after each element. */
export function* readPage(value: unknown, path: string, context: ReadContext): Generator<void, PageInput> {
  const { violations, formerByKey, newId, keys } = context;
  const violationsBefore = violations.length;
  checkShape(pageFrame, value, path, violations);
  const input = isJsonObject(value) ? value : {};
  checkRuleConditions(documentCondition, ownValue(input, "skipLogic"), `${path}.skipLogic`, violations);
  checkLogic(documentCondition, { showIf: ownValue(input, "showIf") ?? null }, path, violations);
  const hasValidShape = violations.length === violationsBefore;
  const key = String(input["key"]);
  const former = formerByKey.page(key);
  const pageId = former?.pageId ?? newId();
  if (!isDefaultKey("page", pageId, key)) keys.set(pageId, key);
  const page: PageInput = { path, input, pageId, former, hasValidShape, rulesAt: [], elements: [] };
  const list = ownValue(input, "elements");
  for (const [at, value] of (Array.isArray(list) ? list : []).entries()) {
    page.elements.push(elementAtPath(value, `${path}.elements.${at}`, context));
    if (page.elements.length > mostQuestions || violations.length >= mostViolations) break;
    yield;
  }
  return page;
}

function elementAtPath(value: unknown, path: string, context: ReadContext): ElementAtPath {
  const element = readElement(value, path, context);
  const input = isJsonObject(value) ? value : {};
  return { path, input, key: ownValue(input, "key"), name: readName(ownValue(input, "name")), element };
}

/** Adds logic and translations to a page and its elements. Returns the former page if nothing has changed. */
export function completePage(pageInput: PageInput, nameable: Nameable, context: ReadContext): Page {
  const { digest, violations } = context;
  const { path, input, pageId, former, hasValidShape, elements } = pageInput;
  const readRules = (rules: readonly DocumentRule[]) =>
    rules.flatMap((given, at) => {
      const rule = readRule(given, `${path}.skipLogic.${at}`, nameable, violations);
      if (rule) pageInput.rulesAt.push(at);
      return rule ?? [];
    });
  const {
    title = null,
    loop = null,
    showIf = null,
    skipLogic = [],
    shuffle = false,
    block = null,
  } = (hasValidShape ? input : {}) as {
    title?: string | null;
    loop?: { element: string; shuffle?: boolean } | null;
    showIf?: DocumentCondition | null;
    skipLogic?: DocumentRule[];
    shuffle?: boolean;
    block?: string | null;
  };
  const shownIf = showIf ? readCondition(showIf, joinPath(path, "showIf"), nameable, violations) : undefined;
  const page: Page = {
    pageId,
    title,
    loop: readLoop(loop, path, nameable, violations),
    ...(shownIf && { showIf: shownIf }),
    skipLogic: readRules(skipLogic),
    ...(shuffle && { shuffle }),
    ...(block && { block }),
    elements: elements.flatMap(({ element, input: given, path: place }) =>
      element
        ? completeElement(
            element,
            {
              ...readLogic(given, element.question, place, nameable, violations),
              entries: readEntryConditions(given, element.question, place, nameable, violations),
            },
            { input: given, path: place },
            context,
          )
        : [],
    ),
  };
  const reading = { path: joinPath(path, "translations"), former: former?.translations, digest };
  const translations = readTranslations(
    hasValidShape ? input["translations"] : {},
    textsOfPage(page),
    reading,
    violations,
  );
  if (translations) page.translations = translations;
  return former && samePage(former, page) ? former : page;
}

function samePage({ elements: formerElements, ...former }: Page, { elements, ...page }: Page): boolean {
  return (
    isSameJson(former, page) &&
    formerElements.length === elements.length &&
    formerElements.every((element, at) => element === elements[at])
  );
}
