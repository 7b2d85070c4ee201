import { decode, encode, streamEncode, type Answer, type Packet, type Question } from "dns-packet";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** A name server on loopback. */
export interface NameServer extends AsyncDisposable {
  /** For `setServers`. */
  address: string;
  questions: string[];
}

/** Records of a name; undefined: no such name; "silent": no answer at all. */
export type Zone = (question: Question) => Answer[] | undefined | "silent";

/** Starts a name server, which answers by UDP, and by TCP what is too large for that. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const questions: string[] = [];
  const udp = createSocket("udp4");
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    // A question fits into one segment; its first two bytes are its length.
    socket.on("data", (bytes: Buffer) => {
      const reply = replyTo(decode(bytes.subarray(2)));
      if (reply) socket.end(streamEncode(reply));
    });
  });

  function replyTo({ id, questions: asked = [] }: Packet): Packet | undefined {
    questions.push(...asked.map(({ name, type }) => `${type} ${name}`));
    const answers = zone(asked[0]!);
    if (answers === "silent") return undefined;
    // 3: no such name (RFC 1035, 4.1.1).
    return { type: "response", id, flags: answers ? 0 : 3, questions: asked, answers: answers ?? [] };
  }

  udp.on("message", (message, { port, address }) => {
    const reply = replyTo(decode(message));
    if (!reply) return;
    const bytes = encode(reply);
    const truncated = { ...reply, flags: 0x0200, answers: [] };
    udp.send(bytes.length > 1200 ? encode(truncated) : bytes, port, address);
  });
  await once(tcp.listen(0, "127.0.0.1"), "listening");
  const { port } = tcp.address() as AddressInfo;
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  return {
    address: `127.0.0.1:${port}`,
    questions,
    async [Symbol.asyncDispose]() {
      udp.close();
      for (const socket of sockets) socket.destroy();
      const closed = once(tcp, "close");
      tcp.close();
      await closed;
    },
  };
}
