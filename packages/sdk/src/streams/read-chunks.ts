import { sleep } from "../connection/pause.ts";
import { connectionFailed } from "../errors/to-canvass-error.ts";

/** Yields what a body brings. Throws a retryable error if the connection is cut or brings nothing for `idleMs`. */
export async function* readChunks(
  { body }: Response,
  signal?: AbortSignal,
  idleMs = 120_000,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const next = await readWithin(reader, idleMs);
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw connectionFailed(error);
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, idleMs: number) {
  const arrived = new AbortController();
  const idle = sleep(idleMs, arrived.signal).then(() => Promise.reject(new Error(`nothing arrived for ${idleMs} ms`)));
  try {
    return await Promise.race([reader?.read(), idle]);
  } finally {
    arrived.abort();
    idle.catch(() => undefined);
  }
}
