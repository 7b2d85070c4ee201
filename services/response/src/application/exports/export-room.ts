import { planForExportedBytes } from "@canvass/access";
import { AppError } from "@canvass/errors";

/** Refuses files of exports beyond what the workspace's plan has room for; `bytes` is what they would hold together. */
export function requireExportRoom(bytes: number, limit: number): void {
  if (bytes <= limit) return;
  const details = { limit, requested: bytes, required_plan: planForExportedBytes(bytes) ?? null, unit: "bytes" };
  const message = "The workspace's export files would hold more bytes than its plan allows; each lies for 24 hours.";
  throw new AppError("quota_exceeded", details, message);
}

/** Passes a file's pieces on as long as there is room, and tells how many bytes that are. Throws `quota_exceeded`. */
export async function* withinRoom(
  pieces: AsyncIterable<Uint8Array>,
  room: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    requireExportRoom(bytes, room);
    onBytes(bytes);
    yield piece;
  }
}
