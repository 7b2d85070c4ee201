import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { natsAccess } from "@canvass/testing";
import { connect, type TlsOptions } from "nats";

/** Returns the server's response to a client that continues in clear text after the greeting. */
export async function askInClearText(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connectSocket(Number(port), hostname);
  socket.setTimeout(5000, () => socket.destroy());
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  // The server may break the connection; keep the text received so far.
  socket.on("error", () => undefined);
  socket.write('CONNECT {"verbose":true}\r\nPING\r\n');
  await once(socket, "close");
  return answer;
}

/** Whether a NATS client with these certificates may connect. */
export async function knockAtNats(url: string, tls: TlsOptions): Promise<"connected" | "refused"> {
  try {
    const connection = await connect({ ...natsAccess(url), tls, reconnect: false, timeout: 20_000 });
    await connection.close();
    return "connected";
  } catch {
    return "refused";
  }
}

/** Connects with these certificates and counts the events that each durable consumer has acknowledged. */
export async function countAcknowledged(url: string, tls: TlsOptions): Promise<Record<string, number>> {
  const connection = await connect({ ...natsAccess(url), tls, reconnect: false, timeout: 20_000 });
  try {
    const consumers = await (await connection.jetstreamManager()).consumers.list("canvass-events").next();
    return Object.fromEntries(consumers.map(({ name, ack_floor }) => [name, ack_floor.consumer_seq]));
  } finally {
    await connection.close();
  }
}
