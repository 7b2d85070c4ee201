import type { FastifyInstance } from "fastify";

/**
 * Ends connections whose request body keeps arriving after it was answered. Waits `lingerMs` first, so that the sender
 * can read the answer and reuse the connection.
 */
export function refusedUploads(app: FastifyInstance, lingerMs: number): void {
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    if (!raw.complete) {
      setTimeout(() => {
        if (!raw.complete) raw.socket.destroy();
      }, lingerMs).unref();
    }
    done();
  });
}
