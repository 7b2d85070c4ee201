import { indexOf, readPrefilled, type PrefillName, type SurveyDefinition } from "@canvass/questions";
import { queryAnswers } from "../saving/query-answers.ts";

/** Returns the valid answers that the page's address gives, by answer key. Others are ignored. */
export function prefilledAnswers(
  stored: SurveyDefinition,
  names: Record<string, PrefillName> = {},
  query: string,
): Map<string, unknown> {
  const texts = queryAnswers(query);
  const answers = new Map<string, unknown>();
  for (const [name, named] of texts.size > 0 ? Object.entries(names) : []) {
    const given = texts.get(name.toLowerCase());
    const element = indexOf(stored).elements.get(named.elementId);
    const value = given && element && readPrefilled(element.question, named, given);
    if (value !== undefined) answers.set(named.elementId, value);
  }
  return answers;
}
