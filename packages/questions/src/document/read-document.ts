import { checkShape, joinPath, shapeViolations, type Violation } from "@canvass/inputs";
import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import { withCarried } from "../carried-choices.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { ChoicesFrom } from "../choices-from.ts";
import { checkLogic } from "../conditions/logic-fields.ts";
import type { Page, Question, SurveyDefinition, Translations } from "../definition.ts";
import { namesOf, nameViolations, readName } from "../element-names.ts";
import { fieldViolations } from "../fields/field-violations.ts";
import { readFields } from "../fields/read-fields.ts";
import { listsOf } from "../survey-lists.ts";
import { quotaViolations } from "../quotas/quota-violations.ts";
import { settingTemplateViolations } from "../piping/setting-templates.ts";
import { mostViolations } from "../most-violations.ts";
import { mostQuestions } from "../new-questions.ts";
import { newLogicViolations } from "../structure/logic-violations.ts";
import {
  addWeights,
  comparisonViolations,
  emptyWeight,
  jsonBytes,
  listsWeight,
  pageWeight,
  questionWeight,
  weightViolations,
} from "../weight.ts";
import type { SurveySettingsPatch } from "../survey-settings.ts";
import { textsOfSurvey, type SurveyTexts } from "../translations/survey-texts.ts";
import { textsOfPage } from "../translations/text-places.ts";
import { translationBytesViolations } from "../translations/translation.ts";
import { isDefaultKey } from "./document-keys.ts";
import { documentCondition, documentFrame, pageFrame } from "./document-schema.ts";
import { formerByKey, type FormerSurvey } from "./former-survey.ts";
import { resolveDocument } from "./document-templates.ts";
import { readDocumentQuotas } from "./read-document-quotas.ts";
import { completeElement, readElement, type ReadContext, type ReadElement } from "./read-element.ts";
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
import { sameJson } from "./same-json.ts";
import { readTranslations } from "./translations.ts";

export interface ReadDocument {
  /** As given, with the ids of the elements that its texts name. */
  document: JsonObject;
  /** Pages and elements that did not change are the same objects as before. */
  definition: SurveyDefinition;
  /** The keys of the document that are not made of ids. */
  keys: ReadonlyMap<string, string>;
  /** Of the survey's own texts. */
  translations: Translations;
  violations: Violation[];
}

interface ReadPlace {
  path: string;
  input: JsonObject;
  key: unknown;
  name: string | undefined;
  read: ReadElement | undefined;
}

interface ReadPage {
  path: string;
  input: JsonObject;
  pageId: string;
  former: Page | undefined;
  isSound: boolean;
  /** Index in the document of each rule of the definition's page. */
  rulesAt: number[];
  elements: ReadPlace[];
}

/**
 * Reads pages, elements and logic of a survey's document (contract 6.14). What has the same key as before keeps its id.
 * `settings` and values of the survey's fields are left to the caller. Yields after each element and page.
 */
export function* readingDocument(
  given: JsonObject,
  former: FormerSurvey,
  { newId, isAnswered, digest }: Pick<ReadContext, "newId" | "isAnswered" | "digest">,
): Generator<void, ReadDocument> {
  const byKey = formerByKey(former);
  const { document, ids } = resolveDocument(given, byKey, newId);
  const violations = shapeViolations(documentFrame, document);
  const keys = new Map<string, string>();
  const context: ReadContext = { former: byKey, ids, newId, isAnswered, digest, keys, violations };
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
  const fields = readFields(ownValue(document, "fields"));
  const nameable = { ...nameableOf(pages, context), fields };
  violations.push(...repeatedNames(pages, former));
  const lists = listsOf({
    fields,
    quotas: readDocumentQuotas(document, former.definition.quotas ?? [], nameable, context),
  });
  const definition: SurveyDefinition = { pages: [], ...lists };
  for (const page of pages) {
    definition.pages.push(withLogic(page, nameable, context));
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
  violations.push(...comparisonViolations(definition, "pages"), ...(yield* overweight(definition, pages)));
  const ofLogic = yield* newLogicViolations(former.definition, definition);
  violations.push(...ofLogic.map(({ path, message }) => ({ path: placeInDocument(path, pages), message })));
  const translations = surveyTranslations(document, former, context);
  violations.push(...(yield* heavyTranslations(definition, translations)));
  violations.push(...settingTemplateViolations(ownValue(document, "settings"), definition));
  return { document, definition, keys, translations, violations };
}

function* readPage(value: unknown, path: string, context: ReadContext): Generator<void, ReadPage> {
  const { violations, former, newId, keys } = context;
  const before = violations.length;
  checkShape(pageFrame, value, path, violations);
  const input = isJsonObject(value) ? value : {};
  checkRuleConditions(documentCondition, ownValue(input, "skipLogic"), `${path}.skipLogic`, violations);
  checkLogic(documentCondition, { showIf: ownValue(input, "showIf") ?? null }, path, violations);
  const isSound = violations.length === before;
  const key = String(input["key"]);
  const had = former.page(key);
  const pageId = had?.pageId ?? newId();
  if (!isDefaultKey("page", pageId, key)) keys.set(pageId, key);
  const page: ReadPage = { path, input, pageId, former: had, isSound, rulesAt: [], elements: [] };
  const list = ownValue(input, "elements");
  for (const [at, element] of (Array.isArray(list) ? list : []).entries()) {
    const place = `${path}.elements.${at}`;
    const read = readElement(element, place, context);
    const given = isJsonObject(element) ? element : {};
    const [elementKey, name] = [ownValue(given, "key"), readName(ownValue(given, "name"))];
    page.elements.push({ path: place, input: given, key: elementKey, name, read });
    if (page.elements.length > mostQuestions || violations.length >= mostViolations) break;
    yield;
  }
  return page;
}

/** Finds what logic may name, and refuses keys that are given twice. */
function nameableOf(pages: readonly ReadPage[], { keys, violations }: ReadContext): Omit<Nameable, "fields"> {
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
    for (const element of page.elements)
      take(elements, element.key, carrying(element, elements), element.path, "element");
  }
  return { elements, pages: pageIds, keys };
}

/** Conditions may name the choices that a question carries. */
function carrying({ input, read }: ReadPlace, before: ReadonlyMap<string, Question | undefined>): Question | undefined {
  const from = ownValue(input, "choicesFrom");
  if (!read || !isJsonObject(from)) return read?.question;
  const { question } = read;
  const choicesFrom: ChoicesFrom = { elementId: String(from["element"]), which: "selected" };
  const carried = { ...question, logic: { choicesFrom } };
  return withCarried(carried, questionTypeOf(question), ({ elementId: key }) => before.get(key));
}

function repeatedNames(pages: readonly ReadPage[], { keptNames }: FormerSurvey): Violation[] {
  const named = pages.flatMap(({ elements }) => elements);
  const present = new Set(named.map(({ read }) => read?.question.elementId));
  const absent = [...keptNames].filter(([, elementId]) => !present.has(elementId)).map(([key]) => key);
  return nameViolations(named, new Set(absent));
}

function withLogic(read: ReadPage, nameable: Nameable, context: ReadContext): Page {
  const { digest, violations } = context;
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
    showIf = null,
    skipLogic = [],
    shuffle = false,
    block = null,
  } = (isSound ? input : {}) as {
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
    elements: elements.flatMap(({ read: element, input: given, path: place }) =>
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
  const translations = readTranslations(isSound ? input["translations"] : {}, textsOfPage(page), reading, violations);
  if (translations) page.translations = translations;
  return former && samePage(former, page) ? former : page;
}

function samePage({ elements: had, ...former }: Page, { elements, ...page }: Page): boolean {
  return (
    sameJson(former, page) && had.length === elements.length && had.every((element, at) => element === elements[at])
  );
}

function* overweight(definition: SurveyDefinition, read: readonly ReadPage[]): Generator<void, Violation[]> {
  const weighed = [];
  for (const [at, page] of read.entries()) {
    const places = page.elements.filter((element) => element.read);
    for (const [index, question] of definition.pages[at]!.elements.entries()) {
      weighed.push({ path: places[index]!.path, ...questionWeight(question) });
      yield;
    }
  }
  return weightViolations(
    addWeights([emptyWeight, listsWeight(definition), ...definition.pages.map(pageWeight)]),
    weighed,
  );
}

function surveyTranslations(
  document: JsonObject,
  former: FormerSurvey,
  { digest, violations }: ReadContext,
): Translations {
  const { name, description, settings } = document;
  const given = isJsonObject(settings) ? (settings as SurveySettingsPatch) : {};
  const texts = textsOfSurvey({ name, description, settings: given } as SurveyTexts);
  const reading = { path: "translations", former: former.translations, digest };
  return readTranslations(ownValue(document, "translations"), texts, reading, violations) ?? {};
}

function* heavyTranslations(
  { pages, quotas = [] }: SurveyDefinition,
  translations: Translations,
): Generator<void, Violation[]> {
  const byLanguage = new Map<string, number>();
  const owners = [{ translations }, ...pages, ...pages.flatMap(({ elements }) => elements), ...quotas];
  for (const { translations: own = {} } of owners) {
    for (const [language, texts] of Object.entries(own)) {
      byLanguage.set(language, (byLanguage.get(language) ?? 0) + jsonBytes(texts));
    }
    yield;
  }
  const sizes = [...byLanguage.values()];
  return translationBytesViolations(
    { language: Math.max(0, ...sizes), all: sizes.reduce((sum, size) => sum + size, 0) },
    "translations",
  );
}

function placeInDocument(path: string, pages: readonly ReadPage[]): string {
  const [, at = "", part = "", index = "", ...rest] = path.split(".");
  const page = pages[Number(at)]!;
  const own =
    part === "skipLogic"
      ? path.replace(`.${index}.`, `.${page.rulesAt[Number(index)]!}.`)
      : part === "elements"
        ? [page.elements.filter(({ read }) => read)[Number(index)]!.path, ...rest].join(".")
        : path;
  return own.replace(/\.elementId$/, ".element");
}
