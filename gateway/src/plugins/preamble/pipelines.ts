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
 *
 * Until all are answered the connection is read for bodies only. So a client that ends its side behind its requests still
 * gets their answers (contract 2.11): Node ends ours as soon as it reads that end. Resume the socket to see a client leave.
 */
export function inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
  const { socket } = request;
  const line = lineOf(socket);
  line.unanswered += 1;
  if (line.unanswered > mostUnanswered) {
    socket.destroy();
    return;
  }
  const pause = () => {
    const isTaken = !request.complete && request.readableFlowing;
    if (line.unanswered > 0 && !isTaken) socket.pause();
  };
  // Node goes on to read in the ticks behind a request; an end that comes with it is read after them.
  setImmediate(pause);
  request.once("end", () => setImmediate(pause));
  response.once("close", () => {
    line.unanswered -= 1;
    line.waiting.shift()?.();
    if (line.unanswered === 0) socket.resume();
  });
  if (line.unanswered === 1) begin();
  else line.waiting.push(begin);
}

function lineOf(socket: Socket): Line {
  let line = lines.get(socket);
  if (!line) lines.set(socket, (line = { unanswered: 0, waiting: [] }));
  return line;
}
