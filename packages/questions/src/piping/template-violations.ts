import type { Violation } from "@canvass/inputs";
import type { Page } from "../definition.ts";
import type { DefinitionIndex, PlacedElement } from "../definition-index.ts";
import { isMarkdown } from "../text-format.ts";
import { templatesOf, translatedPlaces } from "./piped-texts.ts";
import { referenceOf } from "./reference.ts";
import { hasBraces, parseTemplate } from "./template.ts";
import { isBehindOrigin, markdownAddressIn } from "./write-value.ts";

/** Why a text must not name an element; null if it may. */
type JudgeElement = (element: PlacedElement | undefined) => string | null;

interface TemplateScope {
  judge: JudgeElement;
  fields: DefinitionIndex["fields"];
  elements: DefinitionIndex["elements"];
  page: Page | null;
  /** `address`: the whole text is one. */
  format: "plain" | "markdown" | "address";
}

/** Returns every violation of a text with placeholders (contract 6.19). */
export function templateViolations(text: string, path: string, scope: TemplateScope): Violation[] {
  if (!hasBraces(text)) return [];
  const { parts, fault } = parseTemplate(text);
  const violations: Violation[] = fault === null ? [] : [{ path, message: fault }];
  let before = "";
  for (const part of parts) {
    const message =
      part.kind === "placeholder" ? (nameMessage(part.name, scope) ?? addressMessage(before, scope)) : null;
    if (message !== null) violations.push({ path, message: `${message} ({{${(part as { name: string }).name}}})` });
    before += part.raw;
  }
  return violations;
}

function nameMessage(name: string, { judge, fields, elements, page }: TemplateScope): string | null {
  const reference = referenceOf(name);
  switch (reference?.kind) {
    case "element": {
      const element = elements.get(reference.name);
      const { answerable, pipedText, typeName } = element?.type ?? {};
      if (element && !(answerable && pipedText))
        return `must not name a question of type ${typeName}, whose answer is no text`;
      return judge(element);
    }
    case "field":
      return fields.has(reference.name) ? null : "must name a field of the survey";
    case "loop":
      return page?.loop ? null : "is only for a page that repeats";
    case "firstName":
      return null;
    case undefined:
      return "must name an element, field.<name>, contact.firstName or loop";
  }
}

function addressMessage(before: string, { format }: TemplateScope): string | null {
  const address = format === "address" ? before : format === "markdown" ? markdownAddressIn(before) : undefined;
  if (address === undefined || isBehindOrigin(address)) return null;
  return "must be behind the host of an address";
}

const unknown = "must name an element of the survey, with its name or id, that comes before";

/** Paths are relative to the element. */
export function elementTemplateViolations(element: PlacedElement, index: DefinitionIndex): Violation[] {
  const { question, written, page, order } = element;
  return templatesOf(written).flatMap(({ path, text, isMessage }) => {
    const judge: JudgeElement = (asked) => {
      if (!asked || asked.order > order || (asked === element && !isMessage)) return unknown;
      if (asked.page === page) {
        return page.shuffle && asked !== element
          ? "must not name another question of a page whose elements are shuffled"
          : null;
      }
      return asked.page.loop ? "must not name a question of another page that repeats" : null;
    };
    const format = isMarkdown(question.typeSettings) && !isMessage ? "markdown" : "plain";
    return templateViolations(text, path, {
      judge,
      fields: index.fields,
      elements: index.elements,
      page,
      format,
    });
  });
}

/** Paths are relative to the page. */
export function pageTitleViolations(page: Page, pageIndex: number, index: DefinitionIndex): Violation[] {
  if (page.title === null) return [];
  const judge: JudgeElement = (asked) => {
    if (!asked || asked.pageIndex >= pageIndex) return unknown;
    return asked.page.loop ? "must not name a question of another page that repeats" : null;
  };
  const scope: TemplateScope = { judge, fields: index.fields, elements: index.elements, page, format: "plain" };
  return [{ path: "title", text: page.title }, ...translatedPlaces(page.translations)].flatMap(({ path, text }) =>
    templateViolations(text, path, scope),
  );
}

/** Of a text that belongs to no page, such as the message at the end. */
export function surveyTemplateViolations(
  text: string,
  path: string,
  { fields, elements }: DefinitionIndex,
  format: TemplateScope["format"] = "plain",
): Violation[] {
  const judge: JudgeElement = (asked) => {
    if (!asked) return "must name an element of the survey, with its name or id";
    return asked.page.loop ? "must not name a question of a page that repeats" : null;
  };
  return templateViolations(text, path, { judge, fields, elements, page: null, format });
}
