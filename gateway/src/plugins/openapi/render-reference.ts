import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import { endOfThread, giveUpAfter } from "@canvass/telemetry";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface RenderedReference {
  page: string;
  script: Uint8Array;
}

const ownProgram = new URL("./reference-worker.ts", import.meta.url);
const longestMs = 60_000;

/** Renders in a thread that then ends, because the library holds 4 MB of script and few gateways serve the page. */
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
