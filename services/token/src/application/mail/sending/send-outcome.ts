/** `refused`: never retry. `deferred`: retry. `unavailable`: the server cannot be used, so no mail can be sent. */
export type SendOutcome =
  | { state: "sent" }
  | { state: "refused" | "deferred" | "unavailable"; /** In one line. */ reason: string };
