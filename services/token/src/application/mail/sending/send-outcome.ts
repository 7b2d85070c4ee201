/**
 * Outcome of an attempt. `refused`: never retry this mail. `deferred`: retry this mail. `unavailable`: no mail can be
 * sent, because the server is unreachable, untrusted, or refuses our login or address.
 */
export type SendOutcome =
  | { state: "sent" }
  | { state: "refused" | "deferred" | "unavailable"; /** What was said, in one line. */ reason: string };
