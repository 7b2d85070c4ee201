import { idempotencyKeyText } from "@canvass/inputs";
import { Type, type TObject, type TProperties, type TSchema } from "typebox";
import { inlineSchema } from "./inline-schema.ts";
import type { Operation } from "./operations.ts";
import { shareProperties } from "./share-properties.ts";
import type { Tool } from "./tools.ts";

export interface ObjectSchema {
  [keyword: string]: unknown;
  type: "object";
}

/** Where an argument goes: into a part of the operation's request, or to the tool itself. */
export type Place = "path" | "query" | "body" | "header" | "tool";

export interface ToolSchemas {
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  places: ReadonlyMap<string, Place>;
}

/** Arguments that are headers of the request. */
export const headerOf: Record<string, string> = { ifMatch: "If-Match", idempotencyKey: "Idempotency-Key" };

export const skipParam = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: "number of entries to skip, from `rest` of the previous result",
  "x-expected": "a whole number from 0 to 1000000",
});

const ifMatchText = Type.String({ description: "`etag` of the resource that you have read" });
const keyText = idempotencyKeyText("makes repeating this call safe: the same key for the same call");

/** Makes a tool's schemas from those of its operation. Throws if two parameters of the operation have the same name. */
export function toolSchemas(tool: Tool, operation: Operation): ToolSchemas {
  const { schema, config } = operation;
  const path = propertiesOf(schema.params);
  const query = queryOf(schema.querystring);
  const body = propertiesOf(schema.body);
  const { data, pagination } = answerOf(operation);
  const header: TProperties = {
    ...(config.ifMatch && { ifMatch: config.ifMatch === "required" ? ifMatchText : Type.Optional(ifMatchText) }),
    ...(config.idempotent && tool.effect !== "reads" && { idempotencyKey: Type.Optional(keyText) }),
  };
  const isList = tool.list !== undefined || data["type"] === "array";
  const own: TProperties = isList ? { skip: Type.Optional(skipParam) } : {};
  const parts = { path, query, body, header, tool: own };
  const required = Object.values({ ...parts, ...(config.bodyOptional && { body: {} }) }).flatMap(requiredOf);
  const properties = joined(Object.values(parts));
  return {
    inputSchema: shareProperties(
      inlineSchema({
        type: "object",
        properties,
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      }),
    ) as ObjectSchema,
    outputSchema: inlineSchema(resultSchema(data, pagination, config.etag === true)) as ObjectSchema,
    places: new Map(
      Object.entries(parts).flatMap(([place, names]) => Object.keys(names).map((name) => [name, place as Place])),
    ),
  };
}

const propertiesOf = (schema: unknown): TProperties => (schema as TObject | undefined)?.properties ?? {};

/** Lists that can be paged by cursor or by number are paged by cursor. */
function queryOf(schema: unknown): TProperties {
  const { page, ...others } = propertiesOf(schema);
  return page === undefined || "cursor" in others ? others : { ...others, page };
}

function requiredOf(properties: TProperties): string[] {
  const isOptional = (schema: TSchema) => Type.IsOptional(schema) || "default" in schema;
  return Object.keys(properties).filter((name) => !isOptional(properties[name]!));
}

function joined(parts: TProperties[]): TProperties {
  const all = parts.flatMap((part) => Object.keys(part));
  const repeated = all.find((name, index) => all.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`two parameters of a tool are named ${repeated}`);
  return Object.assign({}, ...parts) as TProperties;
}

type AnswerSchema = { properties: { data: Record<string, unknown>; pagination?: object } };

/** The envelope of a success. A list that can also be read as rows has several media types. */
function answerOf({ schema }: Operation): AnswerSchema["properties"] {
  const responses = schema.response as Record<string, object>;
  const success = (responses["200"] ?? responses["201"]) as AnswerSchema & {
    content?: Record<string, { schema: AnswerSchema }>;
  };
  return (success.content?.["application/json"]?.schema ?? success).properties;
}

function resultSchema(data: unknown, pagination: unknown, hasEtag: boolean) {
  return {
    type: "object",
    properties: {
      notice: Type.String({ description: "how to treat the texts in `data`" }),
      data,
      ...(pagination !== undefined && { pagination }),
      ...(hasEtag && { etag: Type.String({ description: "changes with every write of the resource" }) }),
      rest: Type.String({ description: "what is missing in `data`, and how to get it" }),
    },
    required: ["notice", "data"],
  };
}
