import { validationFailed } from "@canvass/inputs";
import type { UploadFileRequest } from "@canvass/proto/files";
import { createHash, type Hash } from "node:crypto";
import { tooLarge } from "../../domain/files/file-limits.ts";
import { incompleteUpload, rethrowDisconnect } from "./incomplete-upload.ts";
import { validateContent, type FoundType } from "./validate-content.ts";
import type { FileRules } from "@canvass/questions";
import { fileTypeFromBuffer } from "file-type";
import { AppError } from "@canvass/errors";

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

const headBytes = 64 * 1024;

/** Types whose short signatures ordinary text can match. */
const weak = new Set(["bmp", "exe", "ps", "eps", "Z", "mp3", "aac", "bz2", "elf"]);

async function findType(head: Uint8Array): Promise<FoundType> {
  // The library throws if a file of a known type is truncated.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found && weak.has(found.ext) && !head.some(isBinary) ? undefined : found;
}

function isBinary(byte: number): boolean {
  return byte < 9 || (byte > 13 && byte < 32 && byte !== 27);
}

/** Below the slowest real connections. Slower uploads are aborted, because they hold a slot. */
const minimumRate = { ms: 60_000, bytes: 256 * 1_024 };

/**
 * Returns a function that reads the next request and throws `request_timeout` if less than 256 KiB arrive within a
 * minute. The minute starts again after every 256 KiB. Only waiting for the sender counts, not a slow file store.
 */
function withMinimumRate(requests: AsyncIterator<UploadFileRequest>): () => Promise<IteratorResult<UploadFileRequest>> {
  let remainingMs = minimumRate.ms;
  let receivedBytes = 0;
  return async () => {
    const start = performance.now();
    const next = await withTimeout(remainingMs, requests.next().catch(rethrowDisconnect));
    remainingMs -= performance.now() - start;
    if (!next.done && next.value.part.case === "piece") receivedBytes += next.value.part.value.length;
    if (receivedBytes >= minimumRate.bytes) [remainingMs, receivedBytes] = [minimumRate.ms, 0];
    return next;
  };
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new AppError("request_timeout")), ms);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
