import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ports of outgoing connections, so that none takes it while its server restarts, and above those of `reservePorts`.
const LOWEST = 32_000;
const HIGHEST = 32_768;

/** A loopback port that is free now, and that no outgoing connection takes. Throws when none of a thousand tries is free. */
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
