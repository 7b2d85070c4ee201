import type { ErrorCode } from "@canvass/errors";
import { failureHeaders, headerReferences, type HeaderName } from "./response-headers.ts";
import { errorSchema } from "./error-examples.ts";
import { statusOf } from "./operation-schema.ts";

type Json = Record<string, unknown>;

export interface Document {
  components: { schemas: Record<string, Json> };
  paths: Record<string, Record<string, Operation>>;
  webhooks?: unknown;
}

interface Operation {
  servers?: { url: string }[];
  parameters?: { required?: boolean; schema?: { default?: unknown } }[];
  requestBody?: { required?: boolean; content?: Json };
  responses: Record<string, Json>;
  "x-error-codes"?: ErrorCode[];
  "x-answer-headers"?: HeaderName[];
  "x-body-optional"?: boolean;
  "x-body-types"?: Record<string, Json>;
}

export function completeDocument({ openapiObject }: { openapiObject: Document }): Document {
  const { components, paths } = openapiObject;
  for (const methods of Object.values(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      completeResponses(method, operation);
      freeDefaults(operation);
      freeBody(operation);
      addBodyTypes(operation);
    }
  }
  openapiObject.paths = withReferences(paths, components.schemas) as Document["paths"];
  openapiObject.webhooks = withReferences(openapiObject.webhooks, components.schemas);
  components.schemas["Error"] = errorSchema;
  return openapiObject;
}

/** Parameters with a default are optional. The schemas require them, because handlers always get a value. */
function freeDefaults({ parameters = [] }: Operation): void {
  for (const parameter of parameters) if (parameter.schema?.default !== undefined) parameter.required = false;
}

/** @fastify/swagger marks every body as required. */
function freeBody(operation: Operation): void {
  if (operation["x-body-optional"] && operation.requestBody) operation.requestBody.required = false;
  delete operation["x-body-optional"];
}

/** @fastify/swagger only adds the JSON body. */
function addBodyTypes(operation: Operation): void {
  for (const [type, example] of Object.entries(operation["x-body-types"] ?? {})) {
    const content = (operation.requestBody!.content ??= {});
    content[type] = { schema: { type: "string" }, examples: { file: example } };
  }
  delete operation["x-body-types"];
}

function completeResponses(method: string, operation: Operation): void {
  const { responses, "x-error-codes": codes = [], "x-answer-headers": names = [] } = operation;
  for (const [status, success] of Object.entries(responses)) {
    const own: HeaderName[] = status === "201" || status === "202" ? [...names, "Location"] : names;
    success["headers"] = { ...(success["headers"] as Json | undefined), ...headerReferences(own) };
  }
  // Failures have no ETag and are not stored for an idempotency key.
  const always = names.filter((name) => name !== "ETag" && name !== "Idempotent-Replayed");
  if (method === "get" && names.includes("ETag")) {
    responses["304"] = { description: "You have the present version", headers: headerReferences([...always, "ETag"]) };
  }
  for (const [status, group] of Map.groupBy(codes, statusOf)) responses[status] = failure(group, always, method);
  delete operation["x-answer-headers"];
}

function failure(codes: ErrorCode[], always: HeaderName[], method: string): Json {
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: headerReferences([...always, ...codes.flatMap((code) => failureHeaders(code, method))]),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** Keywords of packages/inputs/src/fields.ts that mean nothing to readers of the document. */
const ownKeywords: ReadonlySet<string> = new Set(["x-visible", "x-judged-by", "x-expected"]);

/** Replaces every object schema that has a one-word title by a reference, and removes our own keywords. */
function withReferences(node: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((item) => withReferences(item, schemas));
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !ownKeywords.has(key))
      .map(([key, value]) => [key, withReferences(value, schemas)]),
  );
  const { title, type } = copy;
  if (type !== "object" || typeof title !== "string" || title.includes(" ")) return copy;
  schemas[title] ??= copy;
  return { $ref: `#/components/schemas/${title}` };
}
