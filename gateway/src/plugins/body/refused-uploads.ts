import type { FastifyInstance } from "fastify";

/**
 * Ends connections on which the body of a request goes on arriving although it was answered: nobody wants it any more.
 * A short rest is waited for, so that its sender learns the answer and can use the connection again.
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
