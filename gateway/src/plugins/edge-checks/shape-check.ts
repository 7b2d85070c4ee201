import { AppError, type ErrorCode } from "@canvass/errors";
import { type Fault, groupFaults } from "@canvass/inputs";
import { parseInstant } from "@canvass/values";
import { Ajv, type ErrorObject } from "ajv";
import type { FastifyContextConfig, FastifyRequest, FastifySchema } from "fastify";
import type { TObject } from "typebox";
import { checkValues } from "./broken-values.ts";
import { convertQuery } from "./convert-query.ts";
import { checkQueryEncoding } from "./query-encoding.ts";
import { faultOf } from "./shape-fault.ts";

/** The schemas of a route's requests. */
export interface ShapeRules {
  schema: FastifySchema;
  config: FastifyContextConfig;
}

/** Faults shown in one answer; a hostile body can have a million. */
const mostFaults = 100;

// Nothing is coerced or dropped; omitted values get the schema's default.
const ajv = new Ajv({
  verbose: true,
  allErrors: true,
  useDefaults: true,
  coerceTypes: false,
  removeAdditional: false,
  strict: false,
});
ajv.addFormat("date-time", (text) => parseInstant(text) !== null);
ajv.addKeyword({
  keyword: "x-max-json-bytes",
  schemaType: "number",
  validate: (most: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= most,
});
/** What stands beside the named value has no effect (contract 2.3). */
ajv.addKeyword({
  keyword: "x-not-beside",
  schemaType: "string",
  validate: (other: string, _value: unknown, _schema: unknown, at?: { parentData: object }) =>
    !Object.hasOwn(at!.parentData, other),
});

const noParameters = { type: "object", properties: {}, additionalProperties: false };
const noFields = { type: "object", properties: {}, additionalProperties: false };
const anyObject = { type: "object" };

/**
 * Compiles the check of a route's query and body, which adds all faults of both (contract 2.1). Defaults are filled in and
 * query parameters get their types on the way. It returns whether the body is without fault.
 */
export function compileShapeCheck({
  schema,
  config,
}: ShapeRules): (request: FastifyRequest, faults: Fault[]) => boolean {
  const query = (schema.querystring ?? noParameters) as TObject;
  const checkQuery = ajv.compile(query);
  const checkBody = ajv.compile(config.bodyJudgedBy === "service" ? anyObject : (schema.body ?? noFields));
  const toldErrors = config.bodyJudgedBy === "both" ? whereUnsendable : all;
  return (request, faults) => {
    checkQueryEncoding(request.url, faults);
    request.query = convertQuery(query, request.query as Record<string, unknown>);
    if (!checkQuery(request.query)) describe(checkQuery.errors!, "", "parameter", faults);
    const ofQuery = faults.length;
    if (request.body === undefined) return true;
    if (!checkBody(request.body)) describe(toldErrors(checkBody.errors!), "body", "field", faults);
    // A service that judges the body gets it unchanged.
    if (config.bodyJudgedBy !== "service") checkValues(request.body, request.bodyText!, faults);
    return faults.length === ofQuery;
  };
}

type Errors = readonly ErrorObject[];

function describe(errors: Errors, whole: string, kind: string, faults: Fault[]): void {
  for (const error of withoutVariants(errors.slice(0, mostFaults))) faults.push(faultOf(error, whole, kind));
}

/** What is none of several things is told once, not once for each of them. */
function withoutVariants(errors: Errors): Errors {
  const variants = errors.filter(({ keyword }) => keyword === "anyOf").map(({ schemaPath }) => `${schemaPath}/`);
  return errors.filter(({ schemaPath }) => !variants.some((variant) => schemaPath.startsWith(variant)));
}

const all = (errors: Errors): Errors => errors;

// Faults that a request message cannot carry.
const unsendable = new Set(["type", "additionalProperties", "format", "minItems"]);

/** The service reports all faults of a body that it gets, and always those of names and the like. */
const whereUnsendable = (errors: Errors): Errors =>
  errors.some(({ keyword }) => unsendable.has(keyword)) ? errors.filter(({ keyword }) => keyword !== "pattern") : [];

/** The error for faults of a request's shape. */
export function shapeError(faults: readonly Fault[], code: ErrorCode = "validation_failed"): AppError {
  return new AppError(code, groupFaults(faults));
}
