import type { Page, Question } from "../definition.ts";
import { withPlainText } from "../text-format.ts";
import type { EntryList } from "./change.ts";

const longestName = 60;
const mostNames = 3;

export function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  // Cut first, since texts can be long. A character has at most two UTF-16 units.
  const characters = Array.from(line.slice(0, 2 * longestName + 2));
  return `“${characters.length > longestName ? `${characters.slice(0, longestName - 1).join("")}…` : line}”`;
}

export function nameOfQuestion(question: Question): string {
  const { text } = withPlainText(question);
  return text === null || text.trim() === "" ? "a question without text" : `the question ${quoted(text)}`;
}

export function nameOfPage({ title }: Pick<Page, "title">, index: number): string {
  return title === null ? `page ${index + 1}` : `the page ${quoted(title)}`;
}

const singular = { choices: "choice", rows: "row", columns: "column", options: "option" };

export function nameEntries(name: EntryList, texts: readonly string[]): string {
  if (texts.length < 2) return `the ${singular[name]} ${quoted(texts[0] ?? "")}`;
  const isLong = texts.length > mostNames;
  const names = texts.slice(0, isLong ? mostNames : -1).map(quoted);
  return `the ${name} ${names.join(", ")} and ${isLong ? `${texts.length - mostNames} more` : quoted(texts.at(-1)!)}`;
}

/** Returns null for a list or object, which a sentence cannot contain. */
export function valueInWords(value: unknown): string | null {
  if (value === null) return "none";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" ? String(value) : null;
}
