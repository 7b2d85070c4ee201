import { checkShape, joinPath, type Violation } from "@canvass/inputs";
import type { TSchema } from "typebox";
import { checkEntryConditions } from "../conditions/entry-conditions.ts";
import type { Choice, Column } from "../definition.ts";
import type { EntryMarks } from "../entry-marks.ts";
import type { ListRule } from "../list-input.ts";
import { isDefaultKey, otherKey } from "./document-keys.ts";
import { documentCondition, documentList } from "./document-schema.ts";
import type { FormerByKey } from "./former-survey.ts";
import type { DocumentCondition } from "./read-rules.ts";

type Entry = Choice & Partial<Column>;

export interface KeyedEntry extends EntryMarks {
  key: string;
  code?: string | null;
  text: string;
  imageUrl?: string | null;
  format?: string;
  required?: boolean;
  options?: KeyedEntry[];
  showIf?: DocumentCondition | null;
}

const schemas = new WeakMap<ListRule, TSchema>();

/** Checks a list's shape and that its keys differ. Returns it, or undefined after violations. */
export function checkEntries(
  rule: ListRule,
  input: unknown,
  path: string,
  hasOther: boolean,
  violations: Violation[],
): KeyedEntry[] | undefined {
  const before = violations.length;
  const schema = schemas.get(rule) ?? documentList(rule);
  schemas.set(rule, schema);
  checkShape(schema, input, path, violations);
  if (violations.length > before) return undefined;
  const entries = input as KeyedEntry[];
  checkKeys(entries, path, hasOther, violations);
  if (rule.showIf) checkEntryConditions(documentCondition, entries, path, violations);
  return violations.length > before ? undefined : entries;
}

function checkKeys(entries: readonly KeyedEntry[], path: string, hasOther: boolean, violations: Violation[]): void {
  const seen = new Set(hasOther ? [otherKey] : []);
  entries.forEach(({ key, options }, at) => {
    const message = hasOther && key === otherKey ? "is the key of the choice Other" : "is the key of another entry";
    if (seen.has(key)) violations.push({ path: joinPath(joinPath(path, at), "key"), message });
    seen.add(key);
    if (options) checkKeys(options, joinPath(joinPath(path, at), "options"), false, violations);
  });
}

/** Gives entries their former ids, for `readList`. An absent code or mark means none. */
export function withFormerIds(
  { marks = [], options: ofOptions }: ListRule,
  entries: readonly KeyedEntry[],
  list: readonly Entry[] | undefined,
  former: FormerByKey,
): object[] {
  const known = former.entries(list);
  const none = Object.fromEntries(marks.map((mark) => [mark, false]));
  return entries.map((given) => {
    const { key, code = null, options, showIf: _, ...entry } = given;
    const had = known.get(key);
    return {
      ...none,
      ...entry,
      code,
      ...(had && { id: had.id }),
      ...(options && { options: withFormerIds(ofOptions!, options, had?.options, former) }),
    };
  });
}

/** Adds the custom keys of entries. `read` starts with the given entries, in their order. */
export function collectKeys(entries: readonly KeyedEntry[], read: readonly Entry[], keys: Map<string, string>): void {
  entries.forEach(({ key, options }, at) => {
    const { id, options: own = [] } = read[at]!;
    if (!isDefaultKey("entry", id, key)) keys.set(id, key);
    if (options) collectKeys(options, own, keys);
  });
}
