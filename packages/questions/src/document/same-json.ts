import { isJsonObject } from "@canvass/values";

/** Compares JSON values. The order of members does not matter, since the database changes it. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => sameJson(item, other[at]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return Object.is(one, other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
  );
}
