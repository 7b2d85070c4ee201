import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A scripted server. `answer` gets each line and may end the connection. */
export async function scriptedSmtp(
  greeting: string,
  answer: (line: string, socket: Socket) => string | undefined,
): Promise<AsyncDisposable & { port: number; lines: string[]; readonly connections: number }> {
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    if (greeting !== "") socket.write(`${greeting}\r\n`);
    let rest = "";
    socket.on("data", (chunk) => {
      const received = (rest + chunk.toString("latin1")).split("\r\n");
      rest = received.pop()!;
      for (const line of received) {
        lines.push(line);
        const reply = answer(line, socket);
        if (reply !== undefined && socket.writable) socket.write(`${reply}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
