/**
 * How an attempt ended.
 * - `refused`: this mail will never be taken.
 * - `deferred`: this mail may be tried again.
 * - `unavailable`: the server could not be reached, trusted or logged in to, or refuses our address: so for every mail.
 */
export type SendOutcome =
  | { state: "sent" }
  | { state: "refused" | "deferred" | "unavailable"; /** What was said, in one line. */ reason: string };
