import type { ErrorCode } from "@canvass/errors";
import type { Scope } from "@canvass/access";
import type { Idempotency, Replay } from "@canvass/proto/rpc";
import type { Trace } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import type { LimitName } from "./rate-limits/limits.ts";
import type { Identity } from "../batches/identity.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The required scope. `any_token`: any valid token. `public`: no token. */
    scope?: Scope | "any_token" | "public";
    /** The call identifies a respondent by `X-Respondent-Token`. Only on public routes. */
    respondentToken?: true;
    /** The limit; false: none. Default: reads for GET, writes for other methods, none on public routes. */
    limit?: LimitName | false;
    /** `Idempotency-Key` makes retrying this write safe. The owning service stores the keys. */
    idempotent?: true;
    ifMatch?: "required" | "optional";
    etag?: true;
    bodyOptional?: true;
    /** The body is `multipart/form-data` with a file. The handler reads it as it arrives (`readUpload`). */
    upload?: true;
    /** The operation may count stored answers, and has the deadline of such requests (`requestDeadlineMs`). */
    countsAnswers?: true;
    /** Accepted media types besides JSON or the schema's `consumes`. The OpenAPI document shows none of them. */
    otherBodyTypes?: readonly string[];
    /** Query violations are `invalid_request` (400), as in all token operations. Header violations stay 422. */
    violationCode?: "invalid_request";
    /** Documented error codes, besides those implied by the properties above. */
    errors?: readonly ErrorCode[];
  }

  interface FastifyRequest {
    /** When the request began or, except for uploads, its body had arrived. Milliseconds on the monotonic clock. */
    startedAt: number;
    trace: Trace | null;
    /** Null before authentication and on public routes. */
    identity: Identity | null;
    bodyText: string | null;
    /** What an idempotency key covers of the body: the inflated bytes, or the digest of a survey's document. */
    bodyBytes: Buffer | null;
    bodyCharset: string;
    errorCode: ErrorCode | null;
    idempotency: Idempotency | null;
    replay: Replay | null;
    /** The token of a session that this response starts, or "". */
    begunSession: string;
  }
}

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
