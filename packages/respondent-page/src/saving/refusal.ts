/** An answer of the server that says no. */
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

  /** Whether something is gone, or the session of no use. */
  get isFinal(): boolean {
    return [401, 404, 410].includes(this.status);
  }

  /** Whether the respondent is no more, has to start again (contract 7.5), or its session is of no use; the link may be. */
  get endsSession(): boolean {
    const startsAgain = this.details["reason"] === "privacy_changed";
    return this.status === 401 || this.code === "respondent_not_found" || startsAgain;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408 || this.code === "idempotency_in_progress";
  }
}
