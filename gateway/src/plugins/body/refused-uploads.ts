import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { closeInStages, type LingerBounds } from "../connection-hooks/close-in-stages.ts";

/** Lets the sender of an unfinished body read the response: discards the rest within limits, else announces a close. */
export function lingerAfterRefusals(app: FastifyInstance, bounds: LingerBounds): void {
  app.server.on("connection", (socket: Socket) => {
    // Node calls this after the last response of a connection.
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

/** A chunked body can have any length. */
function mayExceed({ headers }: IncomingMessage, { lingerBytes }: LingerBounds): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > lingerBytes;
}
