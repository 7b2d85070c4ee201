import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port of loopback on which nothing listens. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return String(port);
}
