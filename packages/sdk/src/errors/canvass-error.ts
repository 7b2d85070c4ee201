import type { ErrorInfo } from "../../gen/api/types.gen.ts";

/** Errors that this library makes, without an error of the API. */
export type LocalErrorInfo = {
  code:
    | "connection_failed"
    | "deadline_passed"
    | "unexpected_response"
    | "invalid_signature"
    | "export_not_made"
    | "import_not_made";
  message: string;
  suggestion: string;
  retryable: boolean;
  details: Record<string, unknown>;
};

/** Where an error came from. */
export interface ErrorOrigin {
  /** HTTP status; undefined without a response. */
  status?: number | undefined;
  /** Names the request in the logs of the installation. */
  requestId?: string | undefined;
  cause?: unknown;
}

/** An error of the API or of this library: a union discriminated by `code`, which determines `details`. */
export type CanvassError = Error & ErrorOrigin & (ErrorInfo | LocalErrorInfo);

/** The class behind `CanvassError`, which others may extend. */
export class Failure extends Error {
  override readonly name = "CanvassError";
  readonly code: string;
  readonly suggestion: string;
  readonly retryable: boolean;
  readonly details: unknown;
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(info: ErrorInfo | LocalErrorInfo, { status, requestId, cause }: ErrorOrigin = {}) {
    super(info.message, cause === undefined ? undefined : { cause });
    this.code = info.code;
    this.suggestion = info.suggestion;
    this.retryable = info.retryable;
    this.details = info.details;
    this.status = status;
    this.requestId = requestId;
  }
}

/** After `instanceof` the type is the union, which `code` narrows. */
export const CanvassError = Failure as unknown as {
  new (info: ErrorInfo | LocalErrorInfo, origin?: ErrorOrigin): CanvassError;
  readonly prototype: CanvassError;
};
