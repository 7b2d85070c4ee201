import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/schema";
import { type Violation, joinPath } from "./violations.ts";
import {
  counted,
  isJsonObject,
  isBlank,
  isStorable,
  isJsonWithinBytes,
  type JsonObject,
  unstorableTextMessage,
  unstorableMessages,
} from "@canvass/values";

type Keywords = {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  additionalProperties?: unknown;
  required?: readonly string[];
  items?: TSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  description?: string;
  "x-expected"?: string;
  "x-visible"?: boolean;
  "x-max-json-bytes"?: number;
  "x-judged-by"?: string;
};

const mostUnknownFields = 50;
const longestSought = 64;
const validators = new WeakMap<TSchema, Validator>();

/**
 * Adds every violation of `value` to `violations`; the schema library would stop after a few. Left out are unknown
 * fields beyond 50 in an object, and the items of a list that is too short or too long.
 */
export function checkShape(schema: TSchema, value: unknown, path: string, violations: Violation[]): void {
  const keywords = schema as Keywords;
  const judge = keywords["x-judged-by"];
  if (judge !== undefined && judge !== "existence") return;
  if (keywords.anyOf) return checkAnyOf(schema, value, path, violations);
  if (keywords.type === "object") return checkObject(keywords, value, path, violations);
  if (keywords.type === "array") return checkList(keywords, value, path, violations);
  if (!fits(schema, value)) violations.push({ path, message: expectation(schema) });
  if (typeof value === "string" && !isStorable(value)) violations.push({ path, message: unstorableTextMessage });
}

export function shapeViolations(schema: TSchema, value: unknown, path = ""): Violation[] {
  const violations: Violation[] = [];
  checkShape(schema, value, path, violations);
  return violations;
}

function fits(schema: TSchema, value: unknown): boolean {
  const keywords = schema as Keywords;
  if (keywords["x-judged-by"] === "existence") {
    return typeof value === "string" && value !== "" && value.length <= longestSought;
  }
  return matches(schema, value) && !(keywords["x-visible"] && isBlank(value as string));
}

function matches(schema: TSchema, value: unknown): boolean {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value);
}

function checkAnyOf(schema: TSchema, value: unknown, path: string, violations: Violation[]): void {
  const variants = (schema as Keywords).anyOf ?? [];
  const fitting = variants.filter((variant) => takesKindOf(variant as Keywords, value));
  const [only, ...others] = fitting;
  // If only one variant has the value's type, its violations are clearer than "none of them fits".
  if (only && others.length === 0) return checkShape(only, value, path, violations);
  if (matches(schema, value)) return;
  // For objects: the violations of the variant whose required fields exist, otherwise of the first.
  if (only && isJsonObject(value)) {
    return checkShape(fitting.find((variant) => hasRequired(variant, value)) ?? only, value, path, violations);
  }
  violations.push({ path, message: expectation(schema) });
}

function hasRequired(variant: TSchema, value: JsonObject): boolean {
  return ((variant as Keywords).required ?? []).every((key) => Object.hasOwn(value, key));
}

function takesKindOf(schema: Keywords, value: unknown): boolean {
  if (schema.type === "null") return value === null;
  if (schema.type === "array") return Array.isArray(value);
  if (schema.type === "object") return isJsonObject(value);
  if (schema.type === "integer") return typeof value === "number";
  if (schema.type !== undefined) return typeof value === schema.type;
  return true;
}

function checkObject(schema: Keywords, value: unknown, path: string, violations: Violation[]): void {
  if (!isJsonObject(value)) {
    // A violation of the whole body has the path "body".
    violations.push({ path: path || "body", message: "must be an object" });
    return;
  }
  const mostBytes = schema["x-max-json-bytes"];
  if (mostBytes !== undefined) checkOwnObject(mostBytes, value, path, violations);
  const properties = schema.properties ?? {};
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) violations.push({ path: joinPath(path, key), message: "is required" });
  }
  const unknownKeys = Object.keys(value).filter((key) => !checkProperty(schema, value, key, path, violations));
  const isOpen = mostBytes !== undefined || schema.additionalProperties === true;
  if (unknownKeys.length > 0 && !isOpen) violations.push(...unknownFields(unknownKeys, Object.keys(properties), path));
}

function checkOwnObject(mostBytes: number, value: JsonObject, path: string, violations: Violation[]): void {
  if (!isJsonWithinBytes(value, mostBytes)) {
    violations.push({ path, message: `must be at most ${mostBytes / 1024} KiB of JSON` });
  } else violations.push(...unstorableMessages(value).map((message) => ({ path, message })));
}

function checkProperty(
  schema: Keywords,
  object: JsonObject,
  key: string,
  path: string,
  violations: Violation[],
): boolean {
  const properties = schema.properties ?? {};
  let property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  property ??= patternProperty(schema, key);
  if (!property) return false;
  checkShape(property, object[key], joinPath(path, key), violations);
  return true;
}

function patternProperty({ patternProperties = {} }: Keywords, key: string): TSchema | undefined {
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, "u").test(key))?.[1];
}

export function unknownFields(names: readonly string[], known: readonly string[], path = ""): Violation[] {
  const message = known.length === 0 ? "is not a known field" : `is not a known field; known are ${known.join(", ")}`;
  return names
    .filter((name) => !known.includes(name))
    .slice(0, mostUnknownFields)
    .map((name) => ({ path: joinPath(path, name), message }));
}

function checkList(schema: Keywords, value: unknown, path: string, violations: Violation[]): void {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (!Array.isArray(value)) violations.push({ path, message: "must be a list" });
  else if (value.length < minItems)
    violations.push({ path, message: `must have at least ${counted(minItems, "item")}` });
  else if (value.length > maxItems)
    violations.push({ path, message: `must have at most ${counted(maxItems, "item")}` });
  else if (items) {
    value.forEach((item, index) => checkShape(items, item, joinPath(path, index), violations));
    if (schema.uniqueItems) checkUnique(value, path, violations);
  }
}

function checkUnique(list: readonly unknown[], path: string, violations: Violation[]): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const text = JSON.stringify(item);
    if (seen.has(text)) violations.push({ path: joinPath(path, index), message: "is listed twice" });
    seen.add(text);
  }
}

/** Describes the expected value in plain words; may be less precise than the schema. */
function expectation(schema: TSchema): string {
  return `must be ${describe(schema)}`;
}

function describe(schema: Keywords): string {
  const { description, "x-expected": expected, enum: values } = schema;
  if (expected) return expected;
  if (values) return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "boolean") return "true or false";
  if (description) return description;
  if (schema.anyOf) return schema.anyOf.map((variant) => describe(variant as Keywords)).join(" or ");
  if (schema.type === "string") return `text${range(schema.minLength, schema.maxLength, " characters")}`;
  if (schema.type === "integer") return `a whole number${range(schema.minimum, schema.maximum, "")}`;
  if (schema.type === "number") return `a number${range(schema.minimum, schema.maximum, "")}`;
  if (schema.type === "array") return "a list";
  if (schema.type === "object") return "an object";
  return schema.type ?? "another value";
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most}${unit}`;
  if (most !== undefined) return ` of at most ${most}${unit}`;
  if (least !== undefined) return ` of at least ${least}${unit}`;
  return "";
}
