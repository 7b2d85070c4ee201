import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** More than a client sends ahead; one that waits for its answers has one. */
const mostUnanswered = 32;
const unanswered = new WeakMap<Socket, number>();

/**
 * Counts a request until its answer has been handed over, and ends connections on which they pile up. Node reads no
 * more from a connection whose answers are not taken, but one packet holds a thousand requests.
 */
export function countUnanswered({ socket }: IncomingMessage, response: ServerResponse): void {
  const count = (unanswered.get(socket) ?? 0) + 1;
  unanswered.set(socket, count);
  if (count > mostUnanswered) socket.destroy();
  else response.once("close", () => unanswered.set(socket, unanswered.get(socket)! - 1));
}
