import { isJsonObject } from "@canvass/values";
import { chosenId } from "./chosen-choices.ts";

/**
 * Returns what is left of an answer without some choices or rows: the value itself if it names none of them, undefined
 * if it names no other.
 */
export function withoutEntries(value: unknown, entryIds: ReadonlySet<string>): unknown {
  const isNamed = (id: string | undefined) => id !== undefined && entryIds.has(id);
  if (Array.isArray(value)) {
    const left = value.filter((entry) => !isNamed(chosenId(entry)));
    return left.length === value.length ? value : orNone(left, left.length);
  }
  const chosen = chosenId(value);
  if (chosen !== undefined) return isNamed(chosen) ? undefined : value;
  if (!isJsonObject(value)) return value;
  const given = Object.entries(value);
  const left = given.filter(([id]) => !isNamed(id));
  return left.length === given.length ? value : orNone(Object.fromEntries(left), left.length);
}

const orNone = (left: object, count: number): unknown => (count > 0 ? left : undefined);
