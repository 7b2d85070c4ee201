import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Forwards connections. While stopped it accepts them, as the kernel does for a stopped process, but no bytes pass. */
export interface StoppableProxy extends AsyncDisposable {
  url: string;
  stop(): void;
  resume(): void;
}

export async function startStoppableProxy(targetUrl: string): Promise<StoppableProxy> {
  const sockets = new Set<Socket>();
  let stopped = false;
  const server = createServer((near) => {
    const far = connect(Number(new URL(targetUrl).port), "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      if (stopped) hold(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  });
  const hold = (socket: Socket): void => void socket.pause();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      stopped = true;
      sockets.forEach(hold);
    },
    resume() {
      stopped = false;
      sockets.forEach((socket) => socket.resume());
    },
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
