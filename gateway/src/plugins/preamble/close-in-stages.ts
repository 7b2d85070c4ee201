import type { Duplex } from "node:stream";

/** What a sender may still send behind its answer. */
export interface LingerBounds {
  lingerMs: number;
  lingerBytes: number;
}

/**
 * Closes a connection behind its last answer in stages (RFC 9112, 9.6): ends our side, then discards what arrives until
 * the client ends its own, at most for so long and so much. A connection that is closed with unread bytes is reset, and
 * a client that is still sending then loses the answer. Nothing that arrives is taken for a request.
 */
export function closeInStages(socket: Duplex, { lingerMs, lingerBytes }: LingerBounds): void {
  socket.end();
  const late = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(late));
  const discard = () => discardAtMost(lingerBytes, socket);
  // Node's HTTP parser stopped reading for a body that nobody took. It has to start again before it is replaced.
  if (socket.isPaused()) socket.once("resume", discard).resume();
  else discard();
}

function discardAtMost(mostBytes: number, socket: Duplex): void {
  let bytes = 0;
  // The parser leaves a socket that has another reader.
  socket.removeAllListeners("data");
  socket.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostBytes) socket.destroy();
  });
}
