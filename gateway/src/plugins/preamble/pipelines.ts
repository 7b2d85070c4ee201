import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Pipelined requests of a connection; other clients have one. */
const mostUnanswered = 32;

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
  begin: () => void;
}

interface Line {
  /** Unanswered requests in order of arrival. The first one is served. */
  turns: Turn[];
  /** Answered last. */
  answered: IncomingMessage | undefined;
  /** Ends the connection, once the whole requests are answered. */
  end: (() => void) | undefined;
}

const lines = new WeakMap<Duplex, Line>();

/**
 * Serves pipelined requests one after the other: calls `begin` once every earlier request is answered, so a read sees
 * the write sent before it (RFC 9112, 9.3.2, requires this of unsafe methods). Ends connections with too many
 * unanswered requests: Node stops reading when answers are not taken, but one packet holds a thousand requests.
 */
export function inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
  const { socket } = request;
  const line = lineOf(socket);
  if (line.turns.push({ request, response, begin }) > mostUnanswered) {
    socket.destroy();
    return;
  }
  response.once("close", () => {
    line.answered = line.turns.shift()?.request;
    serveNext(line);
  });
  if (line.turns.length === 1) begin();
}

function serveNext({ turns: [next], end }: Line): void {
  if (end && !next?.request.complete) end();
  else next?.begin();
}

/**
 * Ends a connection whose next bytes are no request, behind the answers to its whole requests; behind the answer to a request whose
 * body they belong to. False: neither is there, so the bytes themselves may be answered.
 */
export function endBehindAnswers(socket: Duplex, end: () => void): boolean {
  const line = lines.get(socket);
  if (!line) return false;
  const [served] = line.turns;
  if (served && !served.request.complete && !served.response.headersSent) return false;
  if (!served && line.answered?.complete !== false) return false;
  line.end ??= end;
  if (!served) line.end();
  return true;
}

function lineOf(socket: Duplex): Line {
  let line = lines.get(socket);
  if (!line) lines.set(socket, (line = { turns: [], answered: undefined, end: undefined }));
  return line;
}
