import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";

export interface TlsDoor extends AsyncDisposable {
  /** Asks for TLS that is checked in full. */
  url: string;
}

/** Speaks TLS in front of a PostgreSQL server that speaks none. PEM; the certificate is for `localhost`. */
export async function startTlsDoor(
  serverUrl: string,
  { key, cert, ca }: { key: string; cert: string; ca: string },
): Promise<TlsDoor> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((outside) => {
    const inside = connect(Number(port), hostname);
    const end = () => [outside, inside].forEach((socket) => socket.destroy());
    for (const socket of [outside, inside]) sockets.add(socket.on("error", end).on("close", end));
    // The first thing that a client sends is that it asks for TLS.
    outside.once("data", () => {
      outside.write("S");
      const clear = new TLSSocket(outside, { isServer: true, key, cert }).on("error", end);
      clear.pipe(inside).pipe(clear);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const directory = await mkdtemp(join(tmpdir(), "canvass-tls-door-"));
  await writeFile(join(directory, "ca.pem"), ca);
  const url = new URL(serverUrl);
  url.host = `localhost:${(server.address() as AddressInfo).port}`;
  url.searchParams.set("sslmode", "verify-full");
  url.searchParams.set("sslrootcert", join(directory, "ca.pem"));
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(directory, { recursive: true });
    },
  };
}
