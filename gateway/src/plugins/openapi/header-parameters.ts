import { idempotencyKeyPattern } from "@canvass/inputs";
import type { FastifyContextConfig } from "fastify";

const tag = String.raw`(W/)?"[\x21\x23-\x7e]*"`;
/** What clients may send: `*`, or entity tags (RFC 9110, 13.1.1). */
const entityTagsPattern = `^(\\*|${tag}( *, *${tag})*)$`;

const header = (name: string, description: string, schema: object, more: object = {}) => ({
  in: "header",
  name,
  description,
  schema: { type: "string", ...schema },
  ...more,
});

const ifMatch = (description: string, more: object = {}) =>
  header("If-Match", description, { pattern: entityTagsPattern }, { example: "*", ...more });

/** Headers of requests. Each is a component, because many operations share them. */
export const headerParameters = {
  IdempotencyKey: header("Idempotency-Key", "makes repeating this request safe", {
    minLength: 1,
    maxLength: 128,
    pattern: idempotencyKeyPattern,
  }),
  IfMatch: ifMatch("the resource's ETag, or *", { required: true }),
  OptionalIfMatch: ifMatch("the resource's ETag, or *; left out: whatever its state"),
  IfNoneMatch: header("If-None-Match", "an ETag you have: 304 when it is still the present one", {}),
  RespondentToken: header("X-Respondent-Token", "`sessionToken` of the start", {}, { required: true }),
};

type ParameterName = keyof typeof headerParameters;

export function headerParametersOf(
  { respondentToken, idempotent, ifMatch, etag }: FastifyContextConfig,
  method: string,
) {
  const names: ParameterName[] = [];
  if (respondentToken) names.push("RespondentToken");
  if (idempotent) names.push("IdempotencyKey");
  if (etag && method === "GET") names.push("IfNoneMatch");
  if (ifMatch) names.push(ifMatch === "required" ? "IfMatch" : "OptionalIfMatch");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
