import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A TCP proxy on loopback that can be cut and repaired. */
export interface SeverableLink extends AsyncDisposable {
  port: number;
  readonly connections: number;
  /** Closes every open connection and goes on accepting new ones. */
  hangUp(): void;
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
    await once(server.listen(port, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  }

  const hangUp = () => sockets.forEach((socket) => socket.destroy());

  async function cut(): Promise<void> {
    const closed = server?.listening ? once(server, "close") : undefined;
    server?.close();
    hangUp();
    await closed;
  }

  const port = await open(0);
  return {
    port,
    get connections() {
      return sockets.size / 2;
    },
    hangUp,
    cut,
    repair: async () => void (await open(port)),
    [Symbol.asyncDispose]: cut,
  };
}
