import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A TCP proxy that can be cut and repaired. */
export interface SeverableLink extends AsyncDisposable {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  repair(): Promise<void>;
}

export async function startSeverableLink(target: { host: string; port: number }): Promise<SeverableLink> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  async function open(port: number): Promise<number> {
    server = createServer((near) => {
      const far = connect(target);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.on("error", () => other.destroy());
        socket.on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  async function cut(): Promise<void> {
    const closed = server && server.listening ? once(server, "close") : undefined;
    server?.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const port = await open(0);
  return {
    port,
    cut,
    repair: async () => {
      await open(port);
    },
    [Symbol.asyncDispose]: cut,
  };
}
