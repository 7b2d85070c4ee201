/**
 * How an attempt to hand a mail over ended.
 * - `sent`: the server has it.
 * - `refused`: it does not take this mail, and will not later.
 * - `deferred`: not now; this mail may be tried again.
 * - `unavailable`: this mail was not judged at all: the server could not be reached, trusted or logged in to, or takes no
 *   mail from our address. Whatever is sent meanwhile fares alike.
 */
export type SendOutcome =
  | { state: "sent" }
  | { state: "refused" | "deferred" | "unavailable"; /** What was said, in one line. */ reason: string };
