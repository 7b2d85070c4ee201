import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface LoadRequest {
  method: "GET" | "POST";
  path: string;
  body?: string;
}

export interface Load {
  /** Prefix of the paths, without a trailing slash. */
  url: string;
  headers: Record<string, string>;
  /** Each is sent once, in this order. */
  requests: LoadRequest[];
  connections: number;
}

export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const generator = fileURLToPath(new URL("children/generate-load.ts", import.meta.url));

/** Sends every request once from its own process. Throws unless all responses are 2xx. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = spawn(process.execPath, [generator], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.send(load);
  const ended = once(child, "exit");
  const early = ended.then(([code, signal]) => {
    throw new Error(`the load generator for ${load.url} ended with ${code ?? signal} and no result`);
  });
  const [result] = (await Promise.race([once(child, "message"), early])) as [
    LoadResult & { failed: number; total: number },
  ];
  await ended;
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.total} requests to ${load.url} failed`);
  return result;
}
