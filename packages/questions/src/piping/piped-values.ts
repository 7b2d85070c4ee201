import { isJsonObject } from "@canvass/values";
import { answerKey } from "../answer-key.ts";
import { choicesAndOtherById } from "../chosen-choices.ts";
import type { Page, Question, SurveyDefinition } from "../definition.ts";
import { indexOf, type PlacedElement } from "../definition-index.ts";
import { shownKeyPredicate, type Answers } from "../logic.ts";
import type { RespondentContext } from "../respondent-context.ts";
import { isMarkdown } from "../text-format.ts";
import { replaceTexts } from "../translations/replace-texts.ts";
import { pipedElementIds, templatesOf } from "./piped-texts.ts";
import { pipedNumber } from "./piped-answers.ts";
import { referenceOf } from "./reference.ts";
import { fillTemplate, hasBraces } from "./template.ts";
import { asMarkdown, asText } from "./write-value.ts";

/** Properties of a respondent that texts may show besides answers. */
export interface PipedRespondent extends RespondentContext {
  /** Of the contact whose link it is. */
  firstName?: string | undefined;
}

/** Where a text stands: on a visit of a page, or on none. */
export interface PipedVisit {
  page: Page | null;
  itemId: string | null;
}

export type ValueOf = (name: string) => string | undefined;

/** Returns the values of placeholders for a respondent (contract 6.19). Answers off the path have no value. */
export function pipedValues(
  definition: SurveyDefinition,
  answers: Answers,
  { language, fields, firstName }: PipedRespondent,
): (visit: PipedVisit) => ValueOf {
  const { elements } = indexOf(definition);
  const known = new Map<string, string | undefined>();
  let isShown: ReturnType<typeof shownKeyPredicate> | undefined;

  /** Labels may have placeholders of elements before theirs. */
  const labelled = ({ question, page, order }: PlacedElement, itemId: string | null) =>
    pipedQuestion(question, (name) => valueAt(name, { page, itemId }, order));

  /**
   * Before the answer those that its labels name, and so on, so that a long chain of them does not exhaust the stack.
   */
  function answerOf(element: PlacedElement, itemId: string | null): string | undefined {
    const key = answerKey(element.question.elementId, itemId);
    if (known.has(key)) return known.get(key);
    const named = new Map([[element, itemId]]);
    for (const [each, item] of named) {
      for (const other of elementsNamed(each)) {
        const isOwn = other.page === each.page;
        const otherItem = isOwn ? item : null;
        if (!known.has(answerKey(other.question.elementId, otherItem))) named.set(other, otherItem);
      }
    }
    const inOrder = [...named].toSorted(([one], [next]) => one.order - next.order);
    for (const [each, item] of inOrder) known.set(answerKey(each.question.elementId, item), wordAnswer(each, item));
    return known.get(key);
  }

  /** Elements before it that its labels name, and the one that its page repeats for. */
  function elementsNamed({ question, page, order }: PlacedElement): PlacedElement[] {
    const templates = templatesOf(question);
    const ids = templates.flatMap(({ text }) => pipedElementIds(text));
    if (templates.length > 0 && page.loop) ids.push(page.loop.elementId);
    return ids.flatMap((id) => elements.get(id) ?? []).filter((other) => other.order < order);
  }

  function wordAnswer(element: PlacedElement, itemId: string | null): string | undefined {
    const key = answerKey(element.question.elementId, itemId);
    const value = answers.get(key) ?? null;
    const isGiven = value !== null && (isShown ??= shownKeyPredicate(definition, answers))(key);
    return isGiven ? element.type.pipedText?.(labelled(element, itemId), value, language) : undefined;
  }

  function itemText(source: PlacedElement, itemId: string): string | undefined {
    const isItem = (entry: unknown) => isJsonObject(entry) && entry["choiceId"] === itemId;
    const value = answers.get(source.question.elementId);
    const entry: unknown = Array.isArray(value) ? value.find(isItem) : undefined;
    const question = labelled(source, null);
    return entry === undefined
      ? choicesAndOtherById(question).get(itemId)?.text
      : source.type.pipedText?.(question, [entry], language);
  }

  /** `before`: elements from that order on have no value, so that no text names itself. */
  function valueAt(name: string, { page, itemId }: PipedVisit, before: number): string | undefined {
    const reference = referenceOf(name);
    switch (reference?.kind) {
      case "firstName":
        return firstName;
      case "field": {
        const value = Object.hasOwn(fields, reference.name) ? fields[reference.name] : undefined;
        return typeof value === "number" ? pipedNumber(nothing, value, language) : value;
      }
      case "loop": {
        const source = page?.loop && elements.get(page.loop.elementId);
        return source && source.order < before && itemId !== null ? itemText(source, itemId) : undefined;
      }
      case "element": {
        const asked = elements.get(reference.name);
        if (!asked || asked.order >= before) return undefined;
        const isOwn = asked.page.pageId === page?.pageId;
        return isOwn || !asked.page.loop ? answerOf(asked, isOwn ? itemId : null) : undefined;
      }
      case undefined:
        return undefined;
    }
  }
  return (visit) => (name) => valueAt(name, visit, Infinity) || undefined;
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
