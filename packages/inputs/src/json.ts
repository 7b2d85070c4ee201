/** A JSON object; the caller's keys may be anything, `__proto__` included, so look them up with `Object.hasOwn`. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object's own property, or undefined: never something inherited. */
export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** True when PostgreSQL can store the text in jsonb: no NUL, no half surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** The same for every text and every key of a JSON value. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}

/** Whether a value takes at most so many bytes as JSON in UTF-8. */
export function isWithinBytes(value: unknown, most: number): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).length <= most;
}

/** The sentence for text that cannot be stored. */
export const unstorable = "must not contain NUL characters or broken surrogate pairs";

/** True when two JSON values mean the same: the order of an object's keys says nothing, that of a list does. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, i) => isSameJson(item, other[i]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  );
}
