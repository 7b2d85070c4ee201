import type { ErrorCode } from "@canvass/errors";
import type { Scope } from "@canvass/access";
import type { Idempotency, Replay } from "@canvass/proto/rpc";
import type { Trace } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import type { LimitName } from "./rate-limits/limits.ts";
import type { Identity } from "../batches/identity.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The required scope; `any_token`: any valid token; `public`: no token. */
    scope?: Scope | "any_token" | "public";
    /** The call proves a respondent by `X-Respondent-Token`; on public routes. */
    respondentToken?: true;
    /**
     * The limit that counts the call; false: none. Default: reads for GET, writes for other methods, none on public
     * routes.
     */
    limit?: LimitName | false;
    /** `Idempotency-Key` makes repeating this write safe; the owning service keeps the keys. */
    idempotent?: true;
    /** Whether the write needs `If-Match`, or honours it when it is there. */
    ifMatch?: "required" | "optional";
    /** Answers carry an `ETag`. */
    etag?: true;
    /** The body may be left out. */
    bodyOptional?: true;
    /** The body is `multipart/form-data` with a file, which the handler reads while it comes (`readUpload`). */
    upload?: true;
    /** Media types that the body may have beside JSON, each with an example. */
    bodyTypes?: Readonly<Record<string, { summary: string; value: string }>>;
    /** Faults of the query are `invalid_request` (400), as all on token operations; those of headers stay 422. */
    faultCode?: "invalid_request";
    /** Documented error codes, besides those that follow from the properties above. */
    errors?: readonly ErrorCode[];
  }

  interface FastifyRequest {
    /** By the monotonic clock, in milliseconds. */
    startedAt: number;
    /** Null: tracing is off, or nothing traces the request. */
    trace: Trace | null;
    /** The caller; null before authentication and on public routes. */
    identity: Identity | null;
    /** The body's text; null without one. */
    bodyText: string | null;
    bodyBytes: Buffer | null;
    /** The declared charset of a file; empty: none. */
    bodyCharset: string;
    /** The code of a refusal. */
    errorCode: ErrorCode | null;
    /** The write's idempotency; null without a key. */
    idempotency: Idempotency | null;
    /** Set when the owning service repeats an earlier answer. */
    replay: Replay | null;
    /** The token of the session that begins with the answer; empty: none does. */
    begunSession: string;
  }
}

/** Declares the fields that plugins keep on each request. */
export function declareRequestState(app: FastifyInstance): void {
  app.decorateRequest("startedAt", 0);
  app.decorateRequest("trace", null);
  app.decorateRequest("identity", null);
  app.decorateRequest("bodyText", null);
  app.decorateRequest("bodyBytes", null);
  app.decorateRequest("bodyCharset", "");
  app.decorateRequest("errorCode", null);
  app.decorateRequest("idempotency", null);
  app.decorateRequest("replay", null);
  app.decorateRequest("begunSession", "");
}
