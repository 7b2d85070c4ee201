import type { Violation } from "@canvass/inputs";
import { findQuestionType, questionTypes } from "../catalogue.ts";
import type { SurveyDefinition, Translations } from "../definition.ts";
import { nameViolations } from "../element-names.ts";
import { translationBytesViolations } from "../translations/translation.ts";
import {
  addWeights,
  emptyWeight,
  jsonBytes,
  listsWeight,
  pageWeight,
  questionWeight,
  weightViolations,
} from "../weight.ts";
import type { FormerByKey, FormerSurvey } from "./former-survey.ts";
import type { ElementAtPath, PageInput } from "./read-page.ts";

/** Names of retired elements stay taken. */
export function repeatedNameViolations(
  pages: readonly PageInput[],
  { keptNames }: FormerSurvey,
  byKey: FormerByKey,
): Violation[] {
  const named = pages.flatMap(({ elements }) => elements);
  const present = new Set(named.flatMap((each) => idsOf(each, byKey)));
  const absent = [...keptNames].filter(([, elementId]) => !present.has(elementId)).map(([key]) => key);
  return nameViolations(named, new Set(absent));
}

/** An invalid element stands for the former one of its key, which keeps its name. Without a valid type it may be any. */
function idsOf({ element, input, key }: ElementAtPath, byKey: FormerByKey): string[] {
  if (element) return [element.question.elementId];
  const type = typeof input["type"] === "string" ? findQuestionType(input["type"]) : undefined;
  return (type ? [type] : questionTypes).flatMap(({ number }) => byKey.element(String(key), number)?.elementId ?? []);
}

/** Yields after each element. */
export function* documentWeightViolations(
  definition: SurveyDefinition,
  pages: readonly PageInput[],
): Generator<void, Violation[]> {
  const weighed = [];
  for (const [at, page] of pages.entries()) {
    const valid = page.elements.filter(({ element }) => element);
    for (const [index, question] of definition.pages[at]!.elements.entries()) {
      weighed.push({ path: valid[index]!.path, ...questionWeight(question) });
      yield;
    }
  }
  return weightViolations(
    addWeights([emptyWeight, listsWeight(definition), ...definition.pages.map(pageWeight)]),
    weighed,
  );
}

/** Yields after each owner of texts. */
export function* translationSizeViolations(
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

/** Returns the path in the document of a path in the definition, which has no invalid elements and rules. */
export function pathInDocument(path: string, pages: readonly PageInput[]): string {
  const [, pageIndex = "", list = "", index = "", ...rest] = path.split(".");
  const page = pages[Number(pageIndex)]!;
  const own =
    list === "skipLogic"
      ? [page.path, list, page.rulesAt[Number(index)]!, ...rest].join(".")
      : list === "elements"
        ? [page.elements.filter(({ element }) => element)[Number(index)]!.path, ...rest].join(".")
        : path;
  return own.replace(/\.elementId$/, ".element");
}
