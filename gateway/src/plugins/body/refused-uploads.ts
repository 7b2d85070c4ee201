import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { closeInStages, type LingerBounds } from "../preamble/close-in-stages.ts";

/**
 * Answers requests whose body still arrives so that the sender can read the answer: the rest is read and discarded
 * within bounds. Behind a body that may exceed them the connection ends, and the answer announces it; else it can be
 * used again, unless the rest is late.
 */
export function refusedUploads(app: FastifyInstance, bounds: LingerBounds): void {
  app.server.on("connection", (socket: Socket) => {
    // Node calls this behind the last answer of a connection.
    socket.destroySoon = () => closeInStages(socket, bounds);
  });
  app.addHook("onSend", ({ raw }, reply, _payload, done) => {
    if (!raw.complete && mayExceed(raw, bounds)) reply.header("connection", "close");
    done();
  });
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    if (!raw.complete) {
      setTimeout(() => {
        if (!raw.complete) raw.socket.destroy();
      }, bounds.lingerMs).unref();
    }
    done();
  });
}

/** A body in chunks has any length. */
function mayExceed({ headers }: IncomingMessage, { lingerBytes }: LingerBounds): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > lingerBytes;
}
