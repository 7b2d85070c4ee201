import { joinPath, type Violation } from "@canvass/inputs";
import { Type } from "typebox";
import type { SurveyDefinition } from "./definition.ts";
import { nameKey } from "./name-key.ts";

const pattern = "^[A-Za-z][A-Za-z0-9_]{0,63}$";

export const elementName = Type.String({
  pattern,
  description: "the name of its columns in exports: a letter, then letters, digits and _, at most 64 characters",
  "x-expected": "a letter, then letters, digits and _, at most 64 characters",
});

/** Null: no name. */
export const elementNameOrNull = Type.Union([elementName, Type.Null()]);

const shape = new RegExp(pattern, "u");

/** Undefined for anything but a valid name. */
export function readName(given: unknown): string | undefined {
  return typeof given === "string" && shape.test(given) ? given : undefined;
}

/** The name keys of a definition's elements. */
export function namesOf({ pages }: SurveyDefinition): Set<string> {
  const elements = pages.flatMap((page) => page.elements);
  return new Set(elements.flatMap(({ name }) => (name === undefined ? [] : nameKey(name))));
}

export interface NamedElement {
  /** Of the element. */
  path: string;
  name: string | undefined;
}

const noNames: ReadonlySet<string> = new Set();

/** Refuses names that repeat. `taken` holds the name keys of the survey's other elements. */
export function nameViolations(elements: Iterable<NamedElement>, taken = noNames): Violation[] {
  const seen = new Set(taken);
  const violations: Violation[] = [];
  for (const { path, name } of elements) {
    if (name === undefined) continue;
    const key = nameKey(name);
    if (seen.has(key)) {
      violations.push({ path: joinPath(path, "name"), message: "is the name of another element of the survey" });
    }
    seen.add(key);
  }
  return violations;
}
