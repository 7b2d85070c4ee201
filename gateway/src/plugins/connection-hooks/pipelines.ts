import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Limit of pipelined requests per connection. Clients without pipelining have one. */
const mostPending = 32;

interface PendingRequest {
  request: IncomingMessage;
  response: ServerResponse;
  start: () => void;
}

interface Pipeline {
  /** Requests without a complete response, in order of arrival. The first one is being served. */
  pending: PendingRequest[];
  /** The request with the last complete response. */
  answered: IncomingMessage | undefined;
  /** Ends the connection after the responses to the complete requests. */
  end: (() => void) | undefined;
}

const pipelines = new WeakMap<Duplex, Pipeline>();

/** Serves pipelined requests in sequence, so that a read sees the write sent before it (RFC 9112, 9.3.2). */
export function serveInOrder(request: IncomingMessage, response: ServerResponse, start: () => void): void {
  const { socket } = request;
  const pipeline = pipelineOf(socket);
  // Node stops reading when responses are not read, but one packet can contain a thousand requests.
  if (pipeline.pending.push({ request, response, start }) > mostPending) {
    socket.destroy();
    return;
  }
  response.once("close", () => {
    pipeline.answered = pipeline.pending.shift()?.request;
    serveNext(pipeline);
  });
  if (pipeline.pending.length === 1) start();
}

function serveNext({ pending: [next], end }: Pipeline): void {
  if (end && !next?.request.complete) end();
  else next?.start();
}

/** Ends a connection whose next bytes are no request, after pending responses. False if the caller may respond. */
export function endAfterResponses(socket: Duplex, end: () => void): boolean {
  const pipeline = pipelines.get(socket);
  if (!pipeline) return false;
  const [served] = pipeline.pending;
  if (served && !served.request.complete && !served.response.headersSent) return false;
  if (!served && pipeline.answered?.complete !== false) return false;
  pipeline.end ??= end;
  if (!served) pipeline.end();
  return true;
}

function pipelineOf(socket: Duplex): Pipeline {
  let pipeline = pipelines.get(socket);
  if (!pipeline) pipelines.set(socket, (pipeline = { pending: [], answered: undefined, end: undefined }));
  return pipeline;
}
