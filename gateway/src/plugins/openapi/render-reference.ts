import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The API reference's page, and the script it runs. */
export interface RenderedReference {
  page: string;
  script: Uint8Array;
}

/**
 * Renders them in a thread that ends: the library holds 4 MB of script as text, and its modules, for as long as it is
 * loaded, and few gateways are ever asked for the page.
 */
export async function renderReference(options: FastifyApiReferenceOptions): Promise<RenderedReference> {
  const program = new URL("./reference-worker.ts", import.meta.url);
  const worker = new Worker(program, { workerData: options, execArgv: [] });
  try {
    const [rendered] = (await once(worker, "message")) as [RenderedReference];
    return rendered;
  } finally {
    await worker.terminate();
  }
}
