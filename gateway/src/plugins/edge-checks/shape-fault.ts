import type { Fault } from "@canvass/inputs";
import type { ErrorObject } from "ajv";

const longestKey = 100;

/** A fault of the shape: a dotted location and a sentence without its subject (contract 2.1). */
export function faultOf(error: ErrorObject, whole: string, kind: string): Fault {
  const path = dotted(error.instancePath);
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  if (missingProperty !== undefined) return { path: join(path, missingProperty), message: "is required" };
  if (additionalProperty !== undefined)
    return { path: join(path, additionalProperty), message: `is not a known ${kind}` };
  return { path: path || whole, message: sentence(error) };
}

/** The limits in a schema's keywords. */
interface Limits {
  limit?: number;
  type?: string | string[];
  allowedValues?: unknown[];
}

function sentence({ keyword, params, schema, parentSchema, message = "is not valid" }: ErrorObject): string {
  const { limit, type, allowedValues } = params as Limits;
  switch (keyword) {
    case "type":
      return `must be ${[type ?? []].flat().map(nameOf).join(" or ")}`;
    case "anyOf":
      return `must be ${(schema as Described[]).map(variantOf).join(" or ")}`;
    case "enum":
      return `must be one of ${allowedValues?.join(", ")}`;
    case "minLength":
      return limit === 1 ? "must not be empty" : `must have at least ${limit} characters`;
    case "maxLength":
      return `must have at most ${limit} characters`;
    case "minItems":
      return limit === 1 ? "must not be empty" : `must have at least ${limit} items`;
    case "maxItems":
      return `must have at most ${limit} items`;
    case "minProperties":
      return "must change something";
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "pattern":
      return `must be ${ofForm((parentSchema ?? {}) as Described)}`;
    case "x-not-beside":
      return `has no effect beside \`${String(schema)}\`; leave it out`;
    case "x-max-json-bytes":
      return `must be at most ${Number(schema) / 1024} KiB of JSON`;
    case "format":
      return `must be ${formats[(params as { format: string }).format] ?? "of the right format"}`;
    default:
      return message;
  }
}

interface Described {
  description?: string;
  "x-expected"?: string;
  type?: string;
}

const variantOf = ({ description, type = "", "x-expected": expected = description }: Described): string =>
  expected ?? nameOf(type);

/** The document's description replaces a pattern, which people cannot read. */
function ofForm({ description, "x-expected": expected }: Described): string {
  return expected ?? (description === undefined ? "of the right form" : `of the right form: ${description}`);
}

const names: Record<string, string> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

const nameOf = (type: string): string => names[type] ?? type;

const formats: Record<string, string> = {
  "date-time": "a date and time such as 2026-01-31T12:00:00Z",
};

/** `/questions/2/text` as `questions.2.text` (JSON pointers write `~` and `/` as `~0` and `~1`). */
function dotted(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

function join(path: string, key: string): string {
  const short = key.length > longestKey ? `${key.slice(0, longestKey)}…` : key;
  return path === "" ? short : `${path}.${short}`;
}
