import { planForExportedBytes } from "@canvass/access/plans";
import { AppError } from "@canvass/errors";

export function requireExportCapacity(bytes: number, limit: number): void {
  if (bytes <= limit) return;
  const details = { limit, requested: bytes, required_plan: planForExportedBytes(bytes) ?? null, unit: "bytes" };
  const message = "The workspace's export files would hold more bytes than its plan allows; each lies for 24 hours.";
  throw new AppError("quota_exceeded", details, message);
}

export async function* withinCapacity(
  chunks: AsyncIterable<Uint8Array>,
  capacityBytes: number,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    requireExportCapacity(bytes, capacityBytes);
    onBytes(bytes);
    yield chunk;
  }
}
