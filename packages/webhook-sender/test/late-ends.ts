import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { waitFor } from "@canvass/testing";

export interface LateEnds extends AsyncDisposable {
  port: number;
  /** Closes every connection on the receiver's side; the sender learns of it only when it writes. */
  closeReceiverEnds(): Promise<void>;
  /** Requests that met a closed connection. */
  readonly lateWrites: number;
}

/** A TCP proxy on loopback that hides from the sender that the receiver closed a connection: the notice comes late. */
export async function startLateEnds(receiverPort: number): Promise<LateEnds> {
  const open = new Map<Socket, Socket>();
  let lateWrites = 0;
  const server = createServer((near) => {
    const far = connect(receiverPort, "127.0.0.1");
    open.set(near, far);
    far.on("error", () => undefined);
    near.on("error", () => undefined);
    near.on("data", (chunk) => {
      if (far.writable) return void far.write(chunk);
      lateWrites += 1;
      near.resetAndDestroy();
    });
    far.on("data", (chunk) => near.write(chunk));
    near.on("close", () => {
      open.delete(near);
      far.destroy();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get lateWrites() {
      return lateWrites;
    },
    async closeReceiverEnds() {
      for (const far of open.values()) far.destroy();
      await waitFor(() => [...open.values()].every(({ closed }) => closed), { describe: "the receiver's ends" });
    },
    async [Symbol.asyncDispose]() {
      for (const near of open.keys()) near.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
