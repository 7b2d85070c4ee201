import { parseExposition, type Sample } from "./exposition.ts";

export type OpsAddress = { name: string; url: string | undefined };

/**
 * `samples` is empty if metrics are off. gone: no address, or no connection; hangs: accepts connections but does not
 * respond; foreign: is not Canvass.
 */
export type ProcessReport =
  | { state: "answers"; ready: boolean; status: string; failed: string[]; samples: readonly Sample[] }
  | { state: "hangs" | "gone" | "foreign" };

/** Longer than a process waits for checks and measurements that hang, which is one second. */
const timeoutMs = 4_000;
const maxResponseBytes = 4 * 1_048_576;
const metricsAreOff = JSON.stringify({ status: "off" });

/** Reads readiness and metrics from a process's operations port. `now`: milliseconds. Never rejects. */
export async function askProcess({ url }: OpsAddress, now: () => number): Promise<ProcessReport> {
  if (url === undefined) return { state: "gone" };
  try {
    const [readiness, samples] = await Promise.all([readReadiness(url), readSamples(url, now)]);
    return { state: "answers", ...readiness, samples };
  } catch (error) {
    if ((error as Error).name === "TimeoutError") return { state: "hangs" };
    return { state: (error as { cause?: unknown }).cause === undefined ? "foreign" : "gone" };
  }
}

async function readReadiness(url: string) {
  const { text, status: code } = await read(`${url}/readyz`);
  const { status = "", checks = {} } = JSON.parse(text) as { status?: unknown; checks?: Record<string, boolean> };
  if (typeof status !== "string") throw new Error("no readiness");
  return { ready: code === 200, status, failed: Object.keys(checks).filter((name) => !checks[name]) };
}

async function readSamples(url: string, now: () => number): Promise<Sample[]> {
  const begun = now();
  const { text, status } = await read(`${url}/metrics`);
  if (status === 404 && text === metricsAreOff) return [];
  // The process read its clock between the two times, so use their mean.
  return parseExposition(text, (begun + now()) / 2_000);
}

async function read(address: string): Promise<{ text: string; status: number }> {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest of the response.
    if (length > maxResponseBytes) throw new Error("too long");
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString(), status: response.status };
}
