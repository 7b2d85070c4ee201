import { createServer } from "node:net";
import { OperationalError } from "@canvass/provisioning/operational-error";

/** Resolves with a loopback port that is free now: `port` itself, or any when it is 0. Throws one sentence when it is taken. */
export async function freePort(port = 0): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "is taken by another program" : `can not be used (${cause.message})`;
      reject(new OperationalError(`Port ${port} for PostgreSQL ${why}. Choose another one.`, { cause }));
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      const free = typeof address === "object" && address !== null ? address.port : port;
      server.close(() => resolve(free));
    });
  });
}
