import type { Duplex } from "node:stream";

/** Limits on what a sender may still send after the response. */
export interface LingerBounds {
  lingerMs: number;
  lingerBytes: number;
}

/** Closes a connection in stages (RFC 9112, 9.6). Closing it with unread bytes would lose the last response. */
export function closeInStages(socket: Duplex, { lingerMs, lingerBytes }: LingerBounds): void {
  socket.end();
  const late = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(late));
  const discard = () => discardAtMost(lingerBytes, socket);
  // Node's HTTP parser paused for an unread body. It must resume before it is replaced.
  if (socket.isPaused()) socket.once("resume", discard).resume();
  else discard();
}

function discardAtMost(mostBytes: number, socket: Duplex): void {
  let bytes = 0;
  // The parser detaches from a socket without its listener.
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) socket.destroy();
  });
}
