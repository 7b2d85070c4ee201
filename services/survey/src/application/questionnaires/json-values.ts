import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";

// These functions read a member of JSON of any shape. A member that is absent or of another type reads as empty.
export const objectAt = (value: unknown, name: string): JsonObject => {
  const inner = isJsonObject(value) ? ownValue(value, name) : undefined;
  return isJsonObject(inner) ? inner : {};
};

export const listAt = (value: unknown, name: string): unknown[] => {
  const inner = isJsonObject(value) ? ownValue(value, name) : undefined;
  return Array.isArray(inner) ? (inner as unknown[]) : [];
};

/** Reads numbers and booleans as text, too. */
export const textAt = (value: unknown, name: string): string => {
  const inner = isJsonObject(value) ? ownValue(value, name) : undefined;
  return typeof inner === "string" || typeof inner === "number" || typeof inner === "boolean" ? String(inner) : "";
};
