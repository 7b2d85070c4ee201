/** A stretch of a template: text, or a placeholder. `raw` is how it is written. */
export type TemplatePart =
  | { kind: "text"; raw: string; text: string }
  | { kind: "placeholder"; raw: string; name: string; fallback: string | null };

export interface Template {
  parts: TemplatePart[];
  /** What is wrong with its braces, such as "has {{ }} without a name"; null: nothing. A broken placeholder is plain text. */
  fault: string | null;
}

export const hasBraces = (text: string): boolean => text.includes("{{");

/** Parses `{{name}}` and `{{name|default}}` (contract 6.19). A backslash before the braces makes them text. */
export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  let fault: string | null = null;
  let at = 0;
  const addText = (to: number, written = text.slice(at, to)) => {
    if (to > at) parts.push({ kind: "text", raw: text.slice(at, to), text: written });
    at = to;
  };
  for (let open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", at)) {
    if (open > at && text[open - 1] === "\\") {
      addText(open - 1);
      addText(open + 2, "{{");
      continue;
    }
    const close = text.indexOf("}}", open + 2);
    const inner = close < 0 ? "" : text.slice(open + 2, close);
    const found = faultOf(close, inner);
    addText(found === null ? open : open + 2);
    fault ??= found;
    if (found !== null) continue;
    const [name = "", ...rest] = inner.split("|");
    const fallback = rest.length > 0 ? rest.join("|") : null;
    parts.push({ kind: "placeholder", raw: text.slice(open, close + 2), name: name.trim(), fallback });
    at = close + 2;
  }
  addText(text.length);
  return { parts, fault };
}

function faultOf(close: number, inner: string): string | null {
  if (close < 0) return "has {{ without }}; {{ is written \\{{ where it is text";
  if (/[{}]/.test(inner)) return "has braces inside {{ }}";
  return inner.split("|", 1)[0]!.trim() === "" ? "has {{ }} without a name" : null;
}

/**
 * Replaces placeholders by what `write` returns for their name and default. Where it returns none, they stay as
 * written. The result is a template again: texts keep their backslashes, unlike in `fillTemplate`.
 */
export function replacePlaceholders(
  text: string,
  write: (name: string, fallback: string | null) => string | undefined,
): string {
  if (!hasBraces(text)) return text;
  return parseTemplate(text)
    .parts.map((part) => (part.kind === "text" ? part.raw : (write(part.name, part.fallback) ?? part.raw)))
    .join("");
}

/** Replaces the names in placeholders. A placeholder for which `nameOf` returns nothing is unchanged. */
export function renamePlaceholders(text: string, nameOf: (name: string) => string | undefined): string {
  return replacePlaceholders(text, (given, fallback) => {
    const name = nameOf(given);
    return name === undefined ? undefined : `{{${name}${fallback === null ? "" : `|${fallback}`}}}`;
  });
}

/** Returns a value as it is appended to the text `before` it, for example escaped. */
export type WriteValue = (value: string, before: string) => string;

/** Replaces placeholders with values; without a value, with the default or nothing. */
export function fillTemplate(
  text: string,
  valueOf: (name: string) => string | undefined,
  write: WriteValue = (value) => value,
): string {
  if (!hasBraces(text)) return text;
  return parseTemplate(text).parts.reduce((before, part) => {
    if (part.kind === "text") return before + part.text;
    return before + write(valueOf(part.name) ?? part.fallback ?? "", before);
  }, "");
}
