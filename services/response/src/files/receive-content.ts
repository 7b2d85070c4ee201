import { AppError } from "@canvass/errors";
import { validationFailed } from "@canvass/inputs";
import type { UploadFileRequest } from "@canvass/proto/files";
import { createHash } from "node:crypto";
import { tooLarge } from "../domain/files/file-limits.ts";
import { judgeContent } from "./judge-content.ts";
import type { FileRules } from "@canvass/questions";
import { findType, headBytes } from "./find-type.ts";

/** Between two pieces. */
const idleMs = 60_000;

export interface ReceivedContent {
  sizeBytes: number;
  mimeType: string;
  /** In hex. */
  sha256: string;
}

/**
 * Passes the pieces of a file on to `write` while they come, once the first of them told its type. Throws `file_too_large`,
 * `file_type_not_allowed`, `validation_failed` for an empty file, `request_timeout` when it is cut or nothing comes, and what `write`
 * throws.
 */
export async function receiveContent(
  requests: AsyncIterator<UploadFileRequest>,
  { name, rules }: { name: string; rules: FileRules },
  write: (pieces: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<ReceivedContent> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await within(idleMs, requests.next());
    // A stream that was cut may look as if it had ended.
    if (done) throw cut();
    const { part } = value;
    if (part.case === "whole" && Number(part.value) === sizeBytes) return undefined;
    if (part.case !== "piece") throw cut();
    const piece = part.value;
    sizeBytes += piece.length;
    if (sizeBytes > rules.maxBytes) throw tooLarge(rules.maxBytes);
    hash.update(piece);
    return piece;
  };

  const head: Uint8Array[] = [];
  let isWhole = false;
  while (sizeBytes < headBytes && !isWhole) {
    const piece = await next();
    if (piece) head.push(piece);
    else isWhole = true;
  }
  if (sizeBytes === 0) throw validationFailed([{ path: "file", message: "is empty" }]);
  const mimeType = judgeContent(name, await findType(Buffer.concat(head).subarray(0, headBytes)), rules);

  await write(
    (async function* () {
      yield* head.splice(0);
      while (!isWhole) {
        const piece = await next();
        if (!piece) return;
        yield piece;
      }
    })(),
  );
  return { sizeBytes, mimeType, sha256: hash.digest("hex") };
}

const cut = () => new AppError("request_timeout", {}, "The file did not come whole.");

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AppError("request_timeout")), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
