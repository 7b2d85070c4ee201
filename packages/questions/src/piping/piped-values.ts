import { answerKey } from "../answer-key.ts";
import { withOther } from "../chosen-choices.ts";
import type { Page, Question, SurveyDefinition } from "../definition.ts";
import { indexOf, type PlacedElement } from "../definition-index.ts";
import type { FieldValue } from "../fields/hidden-field.ts";
import { reachedKeys, type Answers } from "../logic.ts";
import { isMarkdown } from "../text-format.ts";
import { replaceTexts } from "../translations/replace-texts.ts";
import { templatesOf } from "./piped-texts.ts";
import { pipedNumber } from "./piped-answers.ts";
import { referenceOf } from "./reference.ts";
import { fillTemplate, hasBraces } from "./template.ts";
import { asMarkdown, asText } from "./write-value.ts";

/** What is known of a respondent beside its answers. */
export interface PipedRespondent {
  /** Of the texts (BCP 47). */
  language: string;
  /** Hidden fields by name. */
  fields?: Readonly<Record<string, FieldValue>>;
  firstName?: string;
}

/** Where a text stands: on a visit of a page, or on none. */
export interface PipedVisit {
  page: Page | null;
  itemId: string | null;
}

export type ValueOf = (name: string) => string | undefined;

/** Returns the values of placeholders for a respondent (contract 6.19). An answer off the path has none. */
export function pipedValues(
  definition: SurveyDefinition,
  answers: Answers,
  { language, fields = {}, firstName }: PipedRespondent,
): (visit: PipedVisit) => ValueOf {
  const { elements } = indexOf(definition);
  let reached: ReadonlySet<string> | undefined;
  const answerOf = ({ question, type }: PlacedElement, itemId: string | null) => {
    const key = answerKey(question.elementId, itemId);
    const value = answers.get(key) ?? null;
    if (value === null || !(reached ??= reachedKeys(definition, answers)).has(key)) return undefined;
    return type.pipedText?.(question, value, language);
  };
  const itemText = (source: PlacedElement, itemId: string) => {
    const isItem = (entry: unknown) =>
      typeof entry === "object" && (entry as { choiceId?: unknown }).choiceId === itemId;
    const value = answers.get(source.question.elementId);
    const entry: unknown = Array.isArray(value) ? value.find(isItem) : undefined;
    if (entry !== undefined) return source.type.pipedText?.(source.question, [entry], language);
    return withOther(source.question).get(itemId)?.text;
  };
  return ({ page, itemId }) =>
    (name) => {
      const reference = referenceOf(name);
      if (reference === undefined) return undefined;
      if (reference.kind === "firstName") return firstName || undefined;
      if (reference.kind === "field") {
        const value = Object.hasOwn(fields, reference.name) ? fields[reference.name] : undefined;
        return (typeof value === "number" ? pipedNumber(nothing, value, language) : value) || undefined;
      }
      if (reference.kind === "loop") {
        const source = page?.loop && elements.get(page.loop.elementId);
        return source && itemId !== null ? itemText(source, itemId) : undefined;
      }
      const asked = elements.get(reference.name);
      const isOwn = asked !== undefined && asked.page.pageId === page?.pageId;
      return (
        (asked && ((asked.page.loop ? isOwn : true) ? answerOf(asked, isOwn ? itemId : null) : undefined)) || undefined
      );
    };
}

const nothing = {} as Question;

/** Fills in the texts of a question, but for the messages of its logic. Values are text, also in Markdown. */
export function pipedQuestion(question: Question, valueOf: ValueOf): Question {
  if (templatesOf(question).length === 0) return question;
  const formatted = isMarkdown(question.typeSettings) ? ["text", "helpText"] : [];
  return replaceTexts(question, (place, text) =>
    fillTemplate(text, valueOf, formatted.includes(place) ? asMarkdown : asText),
  );
}

export const pipedText = (text: string, valueOf: ValueOf): string => fillTemplate(text, valueOf, asText);

/** Whether texts of a definition name the first name of a contact. */
export const namesContact = (text: string): boolean => hasBraces(text) && text.includes("contact.firstName");
