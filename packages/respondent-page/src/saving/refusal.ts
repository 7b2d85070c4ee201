export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly retryAfterMs: number;

  constructor(status: number, { code = "", message = "", details = {} }: Partial<Refusal>, retryAfter: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterMs = Number(retryAfter ?? 0) * 1_000 || 0;
  }

  /** The resource is gone or the session is invalid. */
  get isGone(): boolean {
    return [401, 404, 410].includes(this.status);
  }

  /** The respondent is gone, must start again (contract 7.5) or has an invalid session. The link may still be open. */
  get endsSession(): boolean {
    const startsAgain = this.details["reason"] === "privacy_changed";
    return this.status === 401 || this.code === "respondent_not_found" || startsAgain;
  }

  /** A retry may succeed. */
  get isRetryable(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408 || this.code === "idempotency_in_progress";
  }
}
