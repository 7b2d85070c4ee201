import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** More than a client sends ahead; one that waits for its answers has one. */
const mostUnanswered = 32;

/** What is under way on a connection. */
interface Line {
  unanswered: number;
  /** Begin the requests that wait for the answers before theirs, in the order in which they came. */
  waiting: (() => void)[];
}

const lines = new WeakMap<Socket, Line>();

/**
 * Serves the requests of one connection one after the other: `begin` is called once every request before has its
 * answer, so a read sees the write that was sent ahead of it (RFC 9112, 9.3.2, asks this of methods that are not safe).
 * A client that waits for its answers never waits here. Connections on which requests pile up are ended: Node reads no
 * more from one whose answers are not taken, but one packet holds a thousand requests.
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
