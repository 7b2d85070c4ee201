import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Stands between a sender and a receiver; bytes pass as they are. */
export interface SeverableProxy extends AsyncDisposable {
  port: number;
  /** Closes all connections at once, as a server does with those it finds idle. */
  hangUp(): void;
}

/** A proxy on loopback to another port there. */
export async function severableProxy(targetPort: number): Promise<SeverableProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
  });
  const hangUp = () => sockets.forEach((socket) => socket.destroy());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    hangUp,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      hangUp();
      await closed;
    },
  };
}
