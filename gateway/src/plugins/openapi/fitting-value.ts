/** The part of a schema that says of what kind a value is. */
export interface ShownSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  examples?: unknown[];
  oneOf?: ShownSchema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  required?: readonly string[];
  properties?: Record<string, ShownSchema>;
  additionalProperties?: ShownSchema | boolean;
  items?: ShownSchema;
}

/** Whether a value is of the schema's type, among its words and of its pattern. */
export function isFitting({ type, enum: words, pattern, oneOf }: ShownSchema, value: unknown): boolean {
  if (oneOf) return oneOf.some((each) => each.$ref === undefined && isFitting(each, value));
  if (words && !words.includes(value)) return false;
  if (pattern !== undefined && typeof value === "string" && !new RegExp(pattern, "u").test(value)) return false;
  return type === undefined || [type].flat().some((each) => isOfType(each, value));
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}
