import { AppError } from "@canvass/errors";
import { groupViolations, joinPath, type Violation } from "@canvass/inputs";
import { isUtf8 } from "node:buffer";
import { countKeys, findRepeatedKey } from "./body-keys.ts";
import { malformedJson, notUtf8Error } from "./malformed.ts";
import { outlineJson } from "./json-outline.ts";
import { isJsonObject } from "@canvass/values";

/** `nesting` is more than any request needs, and small enough for recursive code. */
const bounds = { nesting: 64, members: 1_000, items: 10_000 };

/** Throws `malformed_json` for bytes that are not UTF-8. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8Error(bytes);
  return withoutByteOrderMark(bytes.toString());
}

const withoutByteOrderMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);

/** Parses a body's text. Throws `malformed_json`, and `invalid_request` beyond the bounds (contract 1.6). */
export function parseJson(text: string): unknown {
  const outline = outlineJson(text, bounds);
  // Checked first, because parsing such a body takes long.
  if ("beyond" in outline) throw tooMuch(outline.beyond);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedJson(text);
  }
  // Parsers differ in which of two equal keys they keep.
  if (outline.members !== countKeys(value)) throw repeatedKey(text);
  const forbiddenKeys = prototypeKeys(text, value);
  if (forbiddenKeys.length > 0) throw new AppError("invalid_request", groupViolations(forbiddenKeys), notAllowed);
  return value;
}

function tooMuch(bound: keyof typeof bounds): AppError {
  const what = {
    nesting: `is nested deeper than ${bounds.nesting} levels`,
    members: `has an object of more than ${bounds.members} members`,
    items: `has a list of more than ${bounds.items} items`,
  };
  return new AppError("invalid_request", {}, `The body ${what[bound]}.`);
}

const notAllowed = "The body uses a key that is not allowed: `__proto__`, or `prototype` inside `constructor`.";

function repeatedKey(text: string): AppError {
  const details = { [shortened(findRepeatedKey(text)!)]: ["is given twice"] };
  return new AppError("malformed_json", details, "An object in the body has the same key twice.");
}

const shortened = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}…` : path);

/** Most bodies contain neither key and need no search. */
const suspicious = /\\u|__proto__|constructor/;

const mostViolations = 100;

/** Finds `__proto__`, and `prototype` inside `constructor`. Copied, they would change what other objects inherit. */
function prototypeKeys(text: string, body: unknown): Violation[] {
  if (!suspicious.test(text)) return [];
  const violations: Violation[] = [];
  search(body, "", violations);
  return violations;
}

function search(value: unknown, path: string, violations: Violation[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (violations.length === mostViolations) return;
    const keyPath = joinPath(path, key);
    if (key === "__proto__" || (key === "constructor" && isJsonObject(member) && Object.hasOwn(member, "prototype"))) {
      violations.push({ path: keyPath, message: "is not a known field" });
    } else search(member, keyPath, violations);
  }
}
