import { sleep } from "../connection/pause.ts";
import { connectionFailed } from "../errors/to-canvass-error.ts";

/** Longest time without a byte. */
const idleMs = 120_000;

/** Yields what a body brings. Throws a retryable error if the connection is cut or brings nothing for two minutes. */
export async function* readChunks(
  { body }: Response,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const next = await readWithin(reader);
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

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  const arrived = new AbortController();
  const idle = sleep(idleMs, arrived.signal).then(() => Promise.reject(new Error("nothing arrived for two minutes")));
  try {
    return await Promise.race([reader?.read(), idle]);
  } finally {
    arrived.abort();
    idle.catch(() => undefined);
  }
}
