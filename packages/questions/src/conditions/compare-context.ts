import { languageKey, ownValue } from "@canvass/values";
import { noContext, type RespondentContext } from "../respondent-context.ts";
import type { ContextCondition, FieldCondition, LanguageCondition } from "./condition.ts";
import { comparable, holdsUnanswered, satisfies } from "./operators.ts";

/**
 * Compares a hidden field or the language; undefined if the respondent has no value. An empty string counts as no
 * value.
 */
export function compareContext(
  { fields, language }: RespondentContext = noContext,
  leaf: ContextCondition,
): boolean | undefined {
  return "field" in leaf ? compareField(fields, leaf) : compareLanguage(language, leaf);
}

function compareField(
  fields: RespondentContext["fields"],
  { field, operator, value }: FieldCondition,
): boolean | undefined {
  const known = ownValue(fields, field) ?? "";
  return known === "" ? undefined : satisfies(comparable(known), operator, value);
}

/** A tag matches all languages that start with it, `de` matches `de-AT` (basic filtering of RFC 4647, 3.3.1). */
function compareLanguage(language: string, { operator, value }: LanguageCondition): boolean | undefined {
  if (language === "") return undefined;
  if (operator === "answered" || operator === "not_answered") return satisfies(language, operator, value);
  const known = `${languageKey(language)}-`.toLowerCase();
  const ranges: unknown[] = Array.isArray(value) ? value : [value];
  const isIn = ranges.some(
    (range) => typeof range === "string" && known.startsWith(`${languageKey(range)}-`.toLowerCase()),
  );
  return isIn !== holdsUnanswered(operator);
}
