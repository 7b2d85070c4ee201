import { validationFailed } from "@canvass/inputs";
import type { UploadFileRequest } from "@canvass/proto/files";
import { createHash, type Hash } from "node:crypto";
import { tooLarge } from "../../domain/files/file-limits.ts";
import { incompleteUpload } from "./incomplete-upload.ts";
import { validateContent } from "./validate-content.ts";
import type { FileRules } from "@canvass/questions";
import { findType, headBytes } from "./find-type.ts";
import { withMinimumRate } from "./minimum-rate.ts";

export interface ReceivedContent {
  sizeBytes: number;
  mimeType: string;
  /** In hex. */
  sha256: string;
}

/** Passes the chunks of a file to `write` once the first ones have determined its type. Throws what `write` throws. */
export async function receiveContent(
  requests: AsyncIterator<UploadFileRequest>,
  { name, rules }: { name: string; rules: FileRules },
  write: (chunks: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<ReceivedContent> {
  const received = { sizeBytes: 0, hash: createHash("sha256") };
  const chunks = receiveChunks(requests, rules.maxBytes, received);
  const head = await takeHead(chunks);
  if (received.sizeBytes === 0) throw validationFailed([{ path: "file", message: "is empty" }]);
  const mimeType = validateContent(name, await findType(Buffer.concat(head).subarray(0, headBytes)), rules);
  await write(withHead(head, chunks));
  return { sizeBytes: received.sizeBytes, mimeType, sha256: received.hash.digest("hex") };
}

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

async function* receiveChunks(
  requests: AsyncIterator<UploadFileRequest>,
  maxBytes: number,
  received: { sizeBytes: number; hash: Hash },
): Chunks {
  const next = withMinimumRate(requests);
  for (;;) {
    const { done, value } = await next();
    // A stream that was cut off may look complete.
    if (done) throw incompleteUpload();
    const { part } = value;
    if (part.case === "whole" && Number(part.value) === received.sizeBytes) return;
    if (part.case !== "piece") throw incompleteUpload();
    received.sizeBytes += part.value.length;
    if (received.sizeBytes > maxBytes) throw tooLarge(maxBytes);
    received.hash.update(part.value);
    yield part.value;
  }
}

async function takeHead(chunks: Chunks): Promise<Uint8Array[]> {
  const head: Uint8Array[] = [];
  let taken = 0;
  while (taken < headBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    head.push(value);
    taken += value.length;
  }
  return head;
}

async function* withHead(head: Uint8Array[], chunks: Chunks): Chunks {
  yield* head.splice(0);
  yield* chunks;
}
