import { shapeViolations, type Violation } from "@canvass/inputs";
import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import type { SurveyDefinition, Translations } from "../definition.ts";
import { namesOf } from "../element-names.ts";
import { fieldViolations } from "../fields/field-violations.ts";
import { readFields } from "../fields/read-fields.ts";
import { mostViolations } from "../most-violations.ts";
import { mostQuestions } from "../new-questions.ts";
import { newLogicViolations } from "../structure/logic-violations.ts";
import { listsOf } from "../survey-lists.ts";
import type { SurveySettingsPatch } from "../survey-settings.ts";
import { textsOfSurvey, type SurveyTexts } from "../translations/survey-texts.ts";
import { comparisonViolations } from "../weight.ts";
import { documentFrame } from "./document-schema.ts";
import { resolveDocument } from "./document-templates.ts";
import {
  documentWeightViolations,
  pathInDocument,
  repeatedNameViolations,
  translationSizeViolations,
} from "./document-violations.ts";
import { indexFormer, type FormerSurvey } from "./former-survey.ts";
import { indexKeys } from "./index-keys.ts";
import { newQuotaViolations, newSettingViolations, withKeptPlaceholders } from "./kept-placeholders.ts";
import { readDocumentQuotas } from "./read-document-quotas.ts";
import type { ReadContext } from "./read-element.ts";
import { completePage, readPage, type PageInput } from "./read-page.ts";
import { readTranslations } from "./translations.ts";

export interface DocumentResult {
  /** The given document; its texts name elements by id instead of by key or name. */
  document: JsonObject;
  /** Pages and elements that did not change are the same objects as before. */
  definition: SurveyDefinition;
  /** Custom keys by id; default keys, made of the id (`q_<id>`), are left out. */
  keys: ReadonlyMap<string, string>;
  /** Translations of the texts of the survey itself, such as its name. */
  translations: Translations;
  violations: Violation[];
}

/**
 * Reads pages, elements, logic, hidden fields and quotas of a survey's document (contract 6.14). What has the same key
 * as before keeps its id. The caller reads `settings` and the survey's own fields, such as `name`. Yields after each
 * element and page, so that the caller can pause between steps.
 */
export function* readingDocument(
  given: JsonObject,
  former: FormerSurvey,
  { newId, isAnswered, digest }: Pick<ReadContext, "newId" | "isAnswered" | "digest">,
): Generator<void, DocumentResult> {
  const byKey = indexFormer(former);
  const { document, ids } = resolveDocument(withKeptPlaceholders(given, former), byKey, newId);
  const violations = shapeViolations(documentFrame, document);
  const keys = new Map<string, string>();
  const context: ReadContext = { formerByKey: byKey, ids, newId, isAnswered, digest, keys, violations };
  const pages = yield* readPages(document, context);
  const fields = readFields(ownValue(document, "fields"));
  const nameable = { ...indexKeys(pages, context), fields };
  violations.push(...repeatedNameViolations(pages, former, byKey));
  const quotas = readDocumentQuotas(document, former.definition.quotas ?? [], nameable, context);
  const definition: SurveyDefinition = { pages: [], ...listsOf({ fields, quotas }) };
  for (const page of pages) {
    definition.pages.push(completePage(page, nameable, context));
    yield;
  }
  violations.push(...fieldViolations(definition.fields ?? [], namesOf(definition), "fields"));
  // Quotas that name an invalid question are left out, so the indexes of the others shift and their paths would be
  // wrong.
  if (violations.length === 0) {
    const ofQuotas = newQuotaViolations(definition, former);
    violations.push(...ofQuotas.map((each) => ({ ...each, path: each.path.replace(/\.elementId$/, ".element") })));
  }
  violations.push(...comparisonViolations(definition, "pages"));
  violations.push(...(yield* documentWeightViolations(definition, pages)));
  const ofLogic = yield* newLogicViolations(former.definition, definition);
  violations.push(...ofLogic.map(({ path, message }) => ({ path: pathInDocument(path, pages), message })));
  const translations = surveyTranslations(document, former, context);
  violations.push(...(yield* translationSizeViolations(definition, translations)));
  violations.push(...newSettingViolations(ownValue(document, "settings"), definition, former));
  return { document, definition, keys, translations, violations };
}

function* readPages(document: JsonObject, context: ReadContext): Generator<void, PageInput[]> {
  const { violations } = context;
  const list = ownValue(document, "pages");
  const pages: PageInput[] = [];
  let elementCount = 0;
  for (const [at, input] of (Array.isArray(list) ? list : []).entries()) {
    const page = yield* readPage(input, `pages.${at}`, context);
    pages.push(page);
    elementCount += page.elements.length;
    if (elementCount > mostQuestions) {
      const message = `must not bring the survey above ${mostQuestions} elements`;
      violations.push({ path: `pages.${at}`, message });
    }
    if (elementCount > mostQuestions || violations.length >= mostViolations) break;
  }
  return pages;
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
