import { joinPath, type Violation } from "@canvass/inputs";
import type { Loop, Question, SkipOperator, SkipRule } from "../definition.ts";
import type { DocumentKeys } from "./document-keys.ts";
import { targetWithIds } from "./rule-targets.ts";

export interface DocumentRule {
  when: { element: string; operator: SkipOperator; value?: unknown };
  goTo: string;
}

/** What rules and loops of a document may name. Undefined: an element that has violations of its own. */
export interface Nameable {
  elements: ReadonlyMap<string, Question | undefined>;
  /** Page ids by key. */
  pages: ReadonlyMap<string, string>;
  keys: DocumentKeys;
}

const noElement = "is not the key of an element of this document";

export function readLoop(
  loop: { element: string } | null,
  path: string,
  { elements }: Nameable,
  violations: Violation[],
): Loop | null {
  if (loop === null) return null;
  if (!elements.has(loop.element)) violations.push({ path: joinPath(path, "loop.element"), message: noElement });
  const question = elements.get(loop.element);
  return question ? { elementId: question.elementId } : null;
}

/** Undefined after violations, and for an element that has some. */
export function readRule(
  { when, goTo }: DocumentRule,
  path: string,
  { elements, pages, keys }: Nameable,
  violations: Violation[],
): SkipRule | undefined {
  const before = violations.length;
  const pageId = goTo === "end" ? goTo : pages.get(goTo);
  if (pageId === undefined) {
    violations.push({ path: joinPath(path, "goTo"), message: "must be the key of a later page, or end" });
  }
  if (!elements.has(when.element)) violations.push({ path: joinPath(path, "when.element"), message: noElement });
  const question = elements.get(when.element);
  if (!question) return undefined;
  const { operator, value } = when;
  const isGiven = value !== undefined && value !== null;
  const target = isGiven ? targetWithIds(question, value, keys) : undefined;
  if (isGiven && target === undefined) {
    const message = "must be the key of an entry of the question (`column.option` for an option), or a list of them";
    violations.push({ path: joinPath(path, "when.value"), message });
  }
  if (violations.length > before) return undefined;
  const condition = { elementId: question.elementId, operator, ...(isGiven && { value: target }) };
  return { when: condition, goTo: pageId! };
}
