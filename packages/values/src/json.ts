/** Keys come from the caller and may be `__proto__`: use `Object.hasOwn`. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** True if jsonb can store the text: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Returns why a database cannot store the value unchanged; empty if it can. */
export function unstorableMessages(value: unknown): string[] {
  return [
    ...(isStorableJson(value) ? [] : [unstorableTextMessage]),
    ...(containsInfinity(value) ? [infinityMessage] : []),
  ];
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}

export function isJsonWithinBytes(value: unknown, most: number): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).length <= most;
}

/** `1e400` parses to Infinity, which JSON writes as null. */
export function containsInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(containsInfinity);
}

export const infinityMessage = "must not contain numbers beyond ±1.79e308";

export const unstorableTextMessage = "must not contain NUL characters or broken surrogate pairs";

/** Compares JSON values. The order of members does not matter, since the database changes it; 0 equals -0. */
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
