import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runLoad, type Load, type LoadResult } from "./load.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("children/requests.lua", import.meta.url));

/**
 * Whether wrk (Debian's package), which needs little CPU, is on the PATH. `wrk --version` prints its version and exits
 * with status 1.
 */
export async function hasWrk(): Promise<boolean> {
  return run("wrk", ["--version"]).then(
    () => true,
    ({ code }: { code: unknown }) => code === 1,
  );
}

/**
 * Sends requests over one connection, each after the previous response. wrk runs for `seconds` and starts over after
 * the last request. Without wrk, a Node process sends each request once. Throws unless all responses are 2xx.
 */
export async function runLone(load: Omit<Load, "connections">, seconds: number, wrk: boolean): Promise<LoadResult> {
  if (!wrk) return runLoad({ ...load, connections: 1 });
  const directory = await mkdtemp(join(tmpdir(), "canvass-lone-"));
  try {
    const file = join(directory, "requests");
    await writeFile(file, requestFile(load), { mode: 0o600 });
    const args = ["-t1", "-c1", `-d${seconds}s`, "-s", script, load.url, "--", file];
    const { stdout } = await run("wrk", args);
    const { requests, us, p50, p99, failed } = JSON.parse(stdout.trimEnd().split("\n").at(-1)!) as WrkResult;
    if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${load.url} failed`);
    return { perSecond: (requests / us) * 1_000_000, p50: p50 / 1000, p99: p99 / 1000 };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Times in microseconds. */
interface WrkResult {
  requests: number;
  us: number;
  p50: number;
  p99: number;
  failed: number;
}

function requestFile({ url, headers, requests }: Omit<Load, "connections">): string {
  const basePath = new URL(url).pathname.replace(/\/$/, "");
  const all = { ...headers, "Content-Type": "application/json" };
  const first = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const lines = requests.map(({ method, path, body }) => `${method} ${basePath}${path}${body ? ` ${body}` : ""}`);
  return `${[first.join("\t"), ...lines].join("\n")}\n`;
}
