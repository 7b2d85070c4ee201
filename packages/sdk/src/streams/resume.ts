import { backoff, sleep } from "../connection/pause.ts";
import { CanvassError } from "../errors/canvass-error.ts";

interface ResumeOptions {
  /** Maximum number of failures in a row without a new item. */
  retries: number;
  signal?: AbortSignal | undefined;
}

/**
 * Yields what a stream brings, and opens it again where it was cut. `open` begins after everything that was yielded.
 * Throws what `open` throws, any failure that is not retryable, and the last one of too many in a row.
 */
export async function* resume<Item>(
  open: () => Promise<AsyncIterable<Item>>,
  { retries, signal }: ResumeOptions,
): AsyncGenerator<Item, void, undefined> {
  for (let failures = 0; ; failures++) {
    const stream = await open();
    try {
      for await (const item of stream) {
        failures = 0;
        yield item;
      }
      return;
    } catch (error) {
      if (!(error instanceof CanvassError) || !error.retryable || failures >= retries) throw error;
    }
    await sleep(backoff(failures), signal);
  }
}
