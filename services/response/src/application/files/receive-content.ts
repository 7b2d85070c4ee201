import { AppError } from "@canvass/errors";
import { validationFailed } from "@canvass/inputs";
import type { UploadFileRequest } from "@canvass/proto/files";
import { createHash, type Hash } from "node:crypto";
import { tooLarge } from "../../domain/files/file-limits.ts";
import { validateContent } from "./validate-content.ts";
import type { FileRules } from "@canvass/questions";
import { findType, headBytes } from "./find-type.ts";

/** Minimum rate, below the slowest real connections. Slower uploads are aborted, because they hold a slot. */
const pace = { ms: 60_000, bytes: 256 * 1_024 };

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
  const next = atLeastPace(requests);
  for (;;) {
    const { done, value } = await next();
    // A stream that was cut off may look complete.
    if (done) throw cut();
    const { part } = value;
    if (part.case === "whole" && Number(part.value) === received.sizeBytes) return;
    if (part.case !== "piece") throw cut();
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

/** Enforces the minimum rate. Only waiting for the sender counts, not a slow file store. */
function atLeastPace(requests: AsyncIterator<UploadFileRequest>): () => Promise<IteratorResult<UploadFileRequest>> {
  let leftMs = pace.ms;
  let cameBytes = 0;
  return async () => {
    const from = performance.now();
    const next = await within(leftMs, requests.next().catch(throwCut));
    leftMs -= performance.now() - from;
    if (!next.done && next.value.part.case === "piece") cameBytes += next.value.part.value.length;
    if (cameBytes >= pace.bytes) [leftMs, cameBytes] = [pace.ms, 0];
    return next;
  };
}

const cut = () => new AppError("request_timeout", {}, "The file did not come whole.");

/** A sender that disconnects is not an internal error. */
function throwCut(error: unknown): never {
  throw error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE" ? cut() : error;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AppError("request_timeout")), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
