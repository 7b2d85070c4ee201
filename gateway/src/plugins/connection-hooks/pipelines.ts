import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Limit of pipelined requests per connection. Clients without pipelining have one. */
const mostPending = 32;

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
  begin: () => void;
}

interface Line {
  /** Requests without a complete response, in order of arrival. The first one is being served. */
  turns: Turn[];
  /** The request with the last complete response. */
  answered: IncomingMessage | undefined;
  /** Ends the connection after the responses to the complete requests. */
  end: (() => void) | undefined;
}

const lines = new WeakMap<Duplex, Line>();

/** Serves pipelined requests in sequence, so that a read sees the write sent before it (RFC 9112, 9.3.2). */
export function inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
  const { socket } = request;
  const line = lineOf(socket);
  // Node stops reading when responses are not read, but one packet can contain a thousand requests.
  if (line.turns.push({ request, response, begin }) > mostPending) {
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

/** Ends a connection whose next bytes are no request, after pending responses. False if the caller may respond. */
export function endAfterResponses(socket: Duplex, end: () => void): boolean {
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
