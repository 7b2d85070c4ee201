import { parseTemplate } from "./template.ts";

/** The names in `{{name}}` and `{{name|default}}`, each once. A default is text, which a translation may change. */
export function placeholdersOf(text: string): string[] {
  const names = parseTemplate(text).parts.flatMap((part) => (part.kind === "placeholder" ? part.name : []));
  return [...new Set(names)].toSorted();
}

/** Returns the violation of a translation's placeholders; null if they are those of its source. */
export function placeholderViolation(source: string, translation: string): string | null {
  const { fault } = parseTemplate(translation);
  if (fault !== null && parseTemplate(source).fault === null) return fault;
  const [wanted, given] = [placeholdersOf(source), placeholdersOf(translation)];
  if (wanted.length === given.length && wanted.every((name, at) => name === given[at])) return null;
  if (wanted.length === 0) return "must have no placeholders, like the text it translates";
  return `must have the placeholders of the text it translates: ${wanted.map((name) => `{{${name}}}`).join(", ")}`;
}
