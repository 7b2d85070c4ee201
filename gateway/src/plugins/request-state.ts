import type { ErrorCode } from "@canvass/errors";
import type { Fault } from "@canvass/inputs";
import type { Scope } from "@canvass/access";
import type { Idempotency, Replay } from "@canvass/proto/rpc";
import type { FastifyInstance } from "fastify";
import type { LimitName } from "./rate-limits/limits.ts";
import type { Identity } from "./authentication/identity.ts";
import type { WritingService } from "../clients/service-clients.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the token must be allowed: a scope, nothing but being valid, or not even that there is one. */
    scope?: Scope | "any_token" | "public";
    /**
     * Which calls it is counted with; false: not counted. Default: reads for GET, writes for all else, and on public
     * routes none; these name one that is counted by client, as `respondents`.
     */
    limit?: LimitName | false;
    /** The service that keeps the idempotency keys of this write; absent where `Idempotency-Key` means nothing. */
    idempotentIn?: WritingService;
    /** The write needs `If-Match`. */
    ifMatch?: "required";
    /** Answers carry an `ETag`. */
    etag?: true;
    /** A request without body is fine. */
    bodyOptional?: true;
    /**
     * Who judges the content of the body, so that all faults come in one answer. Default: the edge, by the schema.
     * `service`: the schema only documents it, and the body is passed on as it came. `both`: the service
     * judges what can be passed on. Of a body that can not, for its types or unknown fields, the edge passes on all
     * that it finds wrong (`edgeFaults`) and the other fields, and the service refuses by both.
     */
    bodyJudgedBy?: "service" | "both";
    /** Faults of the parameters and the body are `invalid_request` (400), as on token operations; those of headers stay 422. */
    faultCode?: "invalid_request";
    /** Codes of this operation for its documentation, beside those that follow from the properties above. */
    errors?: readonly ErrorCode[];
  }

  interface FastifyRequest {
    /** By the monotonic clock, in milliseconds. */
    startedAt: number;
    /** Who asks; null before authentication and on public routes. */
    identity: Identity | null;
    /** The body as it came; null when there is none. */
    bodyText: string | null;
    bodyBytes: Buffer | null;
    /** What the edge found wrong where the service judges too; fields at fault are gone from the body. */
    edgeFaults: Fault[] | null;
    /** Of the answer, when it is a refusal. */
    errorCode: ErrorCode | null;
    /** What makes this write safe to repeat; null without a key. */
    idempotency: Idempotency | null;
    /** Set when the owning service has given this answer before. */
    replay: Replay | null;
  }
}

/** Declares the fields that plugins keep on each request. */
export function declareRequestState(app: FastifyInstance): void {
  app.decorateRequest("startedAt", 0);
  app.decorateRequest("identity", null);
  app.decorateRequest("bodyText", null);
  app.decorateRequest("bodyBytes", null);
  app.decorateRequest("edgeFaults", null);
  app.decorateRequest("errorCode", null);
  app.decorateRequest("idempotency", null);
  app.decorateRequest("replay", null);
}
