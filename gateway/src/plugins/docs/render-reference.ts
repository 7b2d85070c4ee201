import { createThreads } from "@canvass/fairness/threads";
import type { FastifyApiReferenceOptions } from "@scalar/fastify-api-reference";

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
  await using threads = createThreads<FastifyApiReferenceOptions, RenderedReference>(thread);
  return await threads.run(options, AbortSignal.timeout(thread.longestMs));
}
