import type { ErrorCode } from "@canvass/errors";
import { completeResponses } from "./complete-responses.ts";
import { apiErrorSchema } from "./error-schemas.ts";
import { eventWebhooks } from "./event-webhooks.ts";
import { addSchema, nameSchemas, type Schemas } from "./name-schemas.ts";
import { pascalCase } from "./pascal-case.ts";
import type { HeaderName } from "./response-headers.ts";
import { answerExample } from "./answer-example.ts";
import type { ShownSchema } from "./fitting-value.ts";

type Json = Record<string, unknown>;

export interface Document {
  components: { schemas?: Schemas };
  paths: Record<string, Record<string, Operation>>;
  webhooks?: unknown;
}

export interface Operation {
  operationId: string;
  parameters?: object[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Json; examples?: Json }> };
  responses: Record<string, Json>;
  "x-error-codes"?: ErrorCode[];
  "x-own-error-codes"?: readonly ErrorCode[];
  "x-answer-headers"?: HeaderName[];
  "x-header-parameters"?: object[];
  "x-body-optional"?: boolean;
}

/**
 * Completes the document that @fastify/swagger generates from the routes, and moves schemas to `components`. `shown`
 * has the schemas of `x-shown-as`.
 */
export function completeDocument({ openapiObject }: { openapiObject: Document }, shown: readonly object[]): Document {
  const schemas: Schemas = {};
  const { paths } = openapiObject;
  for (const schema of [apiErrorSchema, ...shown]) nameSchemas(schema, schemas);
  for (const methods of Object.values(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      completeParameters(operation);
      completeBody(operation, schemas);
      completeResponses(method, operation, schemas);
    }
  }
  openapiObject.paths = nameSchemas(paths, schemas) as Document["paths"];
  openapiObject.webhooks = nameSchemas(eventWebhooks, schemas);
  for (const methods of Object.values(openapiObject.paths)) {
    for (const operation of Object.values(methods)) addAnswerExamples(operation, schemas);
  }
  openapiObject.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return openapiObject;
}

/** Parameters with a default are optional. The schemas require them, because handlers always get a value. */
function completeParameters(operation: Operation): void {
  const parameters = (operation.parameters ?? []) as { required?: boolean; schema?: { default?: unknown } }[];
  for (const parameter of parameters) if (parameter.schema?.default !== undefined) parameter.required = false;
  const all = [...parameters, ...(operation["x-header-parameters"] ?? [])];
  delete operation["x-header-parameters"];
  if (all.length > 0) operation.parameters = all;
}

/** @fastify/swagger marks every body as required. */
function completeBody(operation: Operation, schemas: Schemas): void {
  const { requestBody, operationId, "x-body-optional": isOptional } = operation;
  delete operation["x-body-optional"];
  if (!requestBody) return;
  if (isOptional) requestBody.required = false;
  for (const content of Object.values(requestBody.content)) {
    const named = nameSchemas({ ...content.schema, title: undefined }, schemas) as Json;
    content.schema = addSchema(`${pascalCase(operationId)}Request`, named, schemas);
  }
}

interface Answer {
  headers?: object;
  content?: Record<string, { schema: ShownSchema; example?: unknown }>;
}

/** Adds an example to each success of an operation, except files. */
function addAnswerExamples({ operationId, responses }: Operation, schemas: Schemas): void {
  const successes = Object.entries(responses as Record<string, Answer>).filter(([status]) => status.startsWith("2"));
  for (const [, { headers = {}, content = {} }] of successes) {
    for (const body of Object.values(content)) {
      if (body.schema.format === "binary") continue;
      body.example = withTag(answerExample(body.schema, operationId, schemas), "ETag" in headers);
    }
  }
}

/** Leaves `meta.etag` out of the example of an operation without an entity tag (contract 1.2). */
function withTag(example: unknown, isTagged: boolean): unknown {
  if (typeof example !== "object" || isTagged) return example;
  const { meta, ...answer } = example as { meta?: { etag: string } };
  if (!meta) return example;
  const { etag: _, ...others } = meta;
  return { ...answer, meta: others };
}
