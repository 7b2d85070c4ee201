import { isBlank } from "@canvass/values";
import type { Page, Question, SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { replaceTexts } from "../translations/replace-texts.ts";
import { templatesOf } from "./piped-texts.ts";
import { referenceOf } from "./reference.ts";
import { fillTemplate, hasBraces } from "./template.ts";

const longest = 40;

/**
 * Writes placeholders as `[name]`, for texts that nobody's answers are put into: results and reports (contract 6.19).
 * Messages of constraints stay: the page of their respondent fills them in.
 */
export function* describingDefinition(definition: SurveyDefinition): Generator<void, SurveyDefinition> {
  const describe = (text: string) => fillTemplate(text, (name) => `[${descriptionOf(name, definition)}]`);
  const pages: Page[] = [];
  for (const page of definition.pages) {
    const elements: Question[] = [];
    for (const question of page.elements) {
      elements.push(describeQuestion(question, describe));
      yield;
    }
    pages.push({ ...page, title: page.title && describe(page.title), elements });
  }
  return { ...definition, pages };
}

function describeQuestion(question: Question, describe: (text: string) => string): Question {
  return templatesOf(question).length === 0 ? question : replaceTexts(question, (_place, text) => describe(text));
}

/** An element without a name is described by its text. */
function descriptionOf(given: string, definition: SurveyDefinition): string {
  const reference = referenceOf(given);
  if (reference?.kind !== "element") return given.split(".").at(-1)!;
  const { name, text } = findElement(definition, reference.name)?.question ?? {};
  if (name !== undefined) return name;
  if (!text || isBlank(text) || hasBraces(text)) return "…";
  const characters = Array.from(text.slice(0, 2 * longest));
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
}
