import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Pipelined requests of a connection; other clients have one. */
const mostUnanswered = 32;

interface Line {
  unanswered: number;
  /** Start the waiting requests, in order of arrival. */
  waiting: (() => void)[];
}

const lines = new WeakMap<Socket, Line>();

/**
 * Serves pipelined requests one after the other: calls `begin` once every earlier request is answered, so a read sees
 * the write sent before it (RFC 9112, 9.3.2, requires this of unsafe methods). Ends connections with too many
 * unanswered requests: Node stops reading when answers are not taken, but one packet holds a thousand requests.
 */
export function inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
  const line = lineOf(socket);
  line.unanswered += 1;
  if (line.unanswered > mostUnanswered) {
    socket.destroy();
    return;
  }
  response.once("close", () => {
    line.unanswered -= 1;
    line.waiting.shift()?.();
  });
  if (line.unanswered === 1) begin();
  else line.waiting.push(begin);
}

function lineOf(socket: Socket): Line {
  let line = lines.get(socket);
  if (!line) lines.set(socket, (line = { unanswered: 0, waiting: [] }));
  return line;
}
