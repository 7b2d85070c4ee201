import { subscribe } from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import type { Edge } from "./start-edge.ts";

export const getRequest = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
export const scriptRequest = getRequest("/docs/js/scalar.js");
// Larger than the buffers of both ends.
export const scriptRequests = scriptRequest.repeat(6);

/** The gateway's sockets by client port. Needed because a client socket that nobody reads may not notice its end. */
const ends = new Map<number, Socket>();
subscribe("net.server.socket", (message) => {
  const { socket } = message as { socket: Socket };
  ends.set(socket.remotePort!, socket);
});

const endOf = (socket: Socket): Socket => ends.get(socket.localPort!)!;

/** Whether the gateway has cut the connection. */
export const isOver = (socket: Socket): boolean => socket.destroyed || endOf(socket).destroyed;

/** Whether the gateway has finished sending. */
export const hasEnded = (socket: Socket): boolean => endOf(socket).writableEnded;

export function open(edge: Edge, text: string): Socket {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(text);
  return socket;
}

/** Resolves when responses begin to arrive. Reads only their beginning. */
export function openUnread(edge: Edge, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = open(edge, text);
    socket.once("readable", () => resolve(socket));
  });
}
