import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import { endOfThread, giveUpAfter } from "@canvass/telemetry";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The API reference's page, and the script it runs. */
export interface RenderedReference {
  page: string;
  script: Uint8Array;
}

const ownProgram = new URL("./reference-worker.ts", import.meta.url);
const longestMs = 60_000;

/**
 * Renders them in a thread that ends: the library holds 4 MB of script as text, and its modules, for as long as it is
 * loaded, and few gateways are ever asked for the page. Throws what ended the thread before, and GivenUp when it hangs.
 */
export async function renderReference(
  options: FastifyApiReferenceOptions,
  thread = { program: ownProgram, longestMs },
): Promise<RenderedReference> {
  const worker = new Worker(thread.program, { workerData: options, execArgv: [] });
  const ended = endOfThread(worker).then((error) => Promise.reject(error));
  try {
    const message = once(worker, "message") as Promise<[RenderedReference]>;
    const [rendered] = await giveUpAfter(thread.longestMs, () => Promise.race([message, ended]));
    return rendered;
  } finally {
    await worker.terminate();
  }
}
