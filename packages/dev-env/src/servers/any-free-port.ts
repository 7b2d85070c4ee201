import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Above the ports of `reservePorts` and below those of outgoing connections, which could take one during a restart.
const LOWEST = 32_000;
const HIGHEST = 32_768;

/** Returns a free loopback port. Throws if a thousand tries find none. */
export async function anyFreePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
  throw new Error(`This machine has no free loopback port from ${LOWEST} to ${HIGHEST}.`);
}
