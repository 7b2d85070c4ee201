import { AppError } from "@canvass/errors";
import {
  givenSurveyFields,
  surveyFieldDefaults,
  validationFailed,
  violationAt,
  type SurveyFields,
  type Violation,
} from "@canvass/inputs";
import {
  noFormer,
  readingDocument,
  readingPages,
  settingsOfDocument,
  type FormerSurvey,
  type DocumentResult,
  type SettingsPatchResult,
} from "@canvass/questions";
import { digestText } from "./digest-text.ts";
import { isJsonObject, isStorable, type JsonObject } from "@canvass/values";

/** Parses a document. Throws `malformed_json`, or `validation_failed` unless it is an object. */
export function* parsingDocument(json: string): Generator<void, JsonObject> {
  let value: unknown;
  try {
    value = yield* readingPages(json);
  } catch {
    throw new AppError("malformed_json");
  }
  if (!isJsonObject(value)) throw validationFailed(violationAt("body", "must be an object"));
  return value;
}

export interface SurveyDocument extends Omit<DocumentResult, "violations" | "document"> {
  fields: SurveyFields;
  /** The patch that makes the settings those of the document. Values of `secrets` are still plain text. */
  settings: SettingsPatchResult;
  violations: Violation[];
  questionCount: number;
}

/**
 * Reads a document against the survey that it is to replace (contract 6.14). With violations, `fields` may be invalid.
 */
export function* readingSurveyDocument(
  given: JsonObject,
  present: FormerSurvey,
  context: Parameters<typeof readingDocument>[2],
): Generator<void, SurveyDocument> {
  const { violations, document, ...read } = yield* readingDocument(given, present, context);
  const settings = settingsOfDocument(document, present.settings);
  return {
    ...read,
    fields: { ...surveyFieldDefaults, ...givenSurveyFields(document) } as SurveyFields,
    settings,
    violations: [...violations, ...settings.violations],
    questionCount: read.definition.pages.reduce((sum, { elements }) => sum + elements.length, 0),
  };
}

/** Returns the violations that do not depend on the survey. */
export function* documentShapeViolations(document: JsonObject): Generator<void, Violation[]> {
  let ids = 0;
  const context = { digest: digestText, newId: () => String((ids += 1)), isAnswered: () => false };
  return (yield* readingSurveyDocument(document, { ...noFormer, settings: undefined }, context)).violations;
}

/** Returns the keys of an unchecked document's elements, without those that PostgreSQL cannot store. */
export function elementKeysOf({ pages }: JsonObject): string[] {
  const lists = (Array.isArray(pages) ? pages : []).map((page: unknown) =>
    isJsonObject(page) ? page["elements"] : [],
  );
  return lists
    .flatMap((elements) => (Array.isArray(elements) ? (elements as unknown[]) : []))
    .flatMap((element) => (isJsonObject(element) && typeof element["key"] === "string" ? [element["key"]] : []))
    .filter(isStorable);
}
