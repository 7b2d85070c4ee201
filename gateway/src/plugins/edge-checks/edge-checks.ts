import { AppError } from "@canvass/errors";
import { type Fault, fieldOf } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";
import { LookupIdempotencyKeyResponse_State as State } from "@canvass/proto/rpc";
import type { FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { WritingService } from "../../clients/service-clients.ts";
import type { Guard } from "../guards/guard.ts";
import { isIfMatch } from "../answers/etag.ts";
import { requireMultipart } from "../body/uploads.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { impossibleId, missingId } from "./path-ids.ts";
import { compileShapeCheck, shapeError, type ShapeRules } from "./shape-check.ts";

/**
 * The guard behind the body's arrival, in the order of contract 1.7: body and ids there (400), then `If-Match`
 * there (428), then all faults of the shape (422), then ids that cannot exist (403, 404). Everything from 428 on
 * yields to an idempotency key that was used before, which only the owning service knows: it is asked when, and only
 * when, a request with a key is at fault. Without fault nothing here is asynchronous.
 */
export function edgeChecks(context: GatewayContext, rules: ShapeRules): Guard {
  const { config, schema } = rules;
  const checkShape = compileShapeCheck(rules);
  const bodyRequired = schema.body !== undefined && !config.bodyOptional;

  function missing(request: FastifyRequest): AppError | undefined {
    if (config.upload) requireMultipart(request);
    if (bodyRequired && (request.body === undefined || request.body === null)) {
      return new AppError("invalid_request", { body: ["is required"] });
    }
    return emptyUpdate(request.body) ?? missingId(request.params as Record<string, string>);
  }

  /** An update that updates nothing (contract 2.4); services tell it of the bodies that they judge alone. */
  function emptyUpdate(body: unknown): AppError | undefined {
    const { minProperties, properties } = (schema.body ?? {}) as { minProperties?: number; properties?: object };
    if (!minProperties || config.bodyJudgedBy === "service" || config.faultCode) return undefined;
    if (!isJsonObject(body) || Object.keys(body).length > 0) return undefined;
    return new AppError("invalid_request", {
      body: [`must name at least one of ${Object.keys(properties!).join(", ")}`],
    });
  }

  /** `neverTaken`: a request with this body cannot have been answered before, whatever else is wrong with this one. */
  function refusal(request: FastifyRequest): { error: AppError; neverTaken: boolean } | undefined {
    const keyFault = readKey(request);
    const tagFault = ifMatchFault(request, config.ifMatch !== undefined);
    const faults = [keyFault, tagFault].filter((fault) => fault !== undefined);
    // Faults of headers are 422 and come before those that are 400.
    const fits = faults.length > 0 && config.faultCode ? true : checkShape(request, faults);
    const error = errorOf(request, faults, keyFault ?? tagFault);
    return error && { error, neverTaken: !fits && config.bodyJudgedBy === undefined };
  }

  function errorOf(request: FastifyRequest, faults: Fault[], headerFault: Fault | undefined): AppError | undefined {
    if (config.ifMatch === "required" && !request.headers["if-match"]) return new AppError("precondition_required");
    if (config.bodyJudgedBy === "both" && !headerFault && passOn(request, faults)) return undefined;
    if (faults.length > 0) return shapeError(faults, headerFault ? undefined : config.faultCode);
    // A service that judges the body reports its shape before ids.
    return config.bodyJudgedBy ? undefined : impossibleId(request.params as Record<string, string>);
  }

  function readKey(request: FastifyRequest): Fault | undefined {
    const key = config.idempotentIn && readIdempotencyKey(request, context.now());
    if (key === undefined) return undefined;
    if ("path" in key) return key;
    request.idempotency = key;
    return undefined;
  }

  return (request, _reply, done) => {
    const fault = missing(request);
    if (fault) throw fault;
    const refused = refusal(request);
    if (!refused) return done();
    const { error, neverTaken } = refused;
    // Without a caller only the service that judges the request knows whose key it is.
    // Of an upload only the whole body tells whether its key was used for it.
    if (!request.idempotency || !config.idempotentIn || !request.identity || config.upload) throw error;
    return unlessUsedBefore(context, request, config.idempotentIn, error, neverTaken);
  };
}

/** `*` holds wherever the resource is there. */
function ifMatchFault({ method, headers }: FastifyRequest, isHonoured: boolean): Fault | undefined {
  const header = headers["if-match"];
  if (!header || method === "GET" || method === "HEAD" || header.trim() === "*") return undefined;
  if (!isHonoured) return { path: "If-Match", message: "has no effect on this operation; leave it out" };
  if (isIfMatch(header)) return undefined;
  const message = "must be * or entity tags in double quotes, as `ETag` and `meta.etag` have them";
  return { path: "If-Match", message };
}

/** Leaves the refusal to the service, which adds more faults; false when the service cannot judge the body. */
function passOn(request: FastifyRequest, faults: Fault[]): boolean {
  const { body } = request;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  for (const { path } of faults) delete (body as Record<string, unknown>)[fieldOf(path)];
  request.edgeFaults = faults;
  return true;
}

/** Throws the refusal, or `idempotency_key_reused`; returns when the service has an answer for this request. */
async function unlessUsedBefore(
  context: GatewayContext,
  request: FastifyRequest,
  owner: WritingService,
  refused: AppError,
  neverTaken: boolean,
): Promise<void> {
  const { key, scope, bodySha256 } = request.idempotency!;
  const client = context.clients.idempotency[owner];
  const { state } = await client.lookupIdempotencyKey({ key, scope, bodySha256 }, rpcOptions(context, request));
  if (state === State.OTHER_BODY) throw new AppError("idempotency_key_reused");
  if (state !== State.SAME_BODY || neverTaken) throw refused;
}
