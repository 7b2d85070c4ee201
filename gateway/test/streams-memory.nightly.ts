import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";

const gibi = 1024 ** 3;
const mebi = 1024 ** 2;
/** Values of one chunk: 16 rows of 4 KiB. */
const chunkBytes = 64 * 1024;

/** First message of each script. */
interface Ready {
  urls: object;
  token: string;
  url: string;
}

interface Report {
  peakBytes: number;
  made?: number;
}

/** Starts a script in its own process. Returns its first message. */
async function start(stack: AsyncDisposableStack, script: string, ...args: string[]) {
  const child = fork(new URL(`fixture/${script}`, import.meta.url), args, { execArgv: [] });
  stack.defer(() => void child.kill("SIGKILL"));
  const [ready] = (await once(child, "message")) as [Ready];
  return { ready, report: () => reportOf(child) };
}

async function reportOf(child: ChildProcess): Promise<Report> {
  child.send("report");
  const [report] = (await once(child, "message")) as [Report];
  return report;
}

/** Reads a whole answer and calls `onRest` during a rest after the first quarter. Returns its length. */
async function readWithRest(response: IncomingMessage, onRest: () => Promise<void>): Promise<number> {
  let [received, rested] = [0, false];
  for await (const bytes of response) {
    received += (bytes as Buffer).length;
    if (rested || received < gibi / 4) continue;
    rested = true;
    await onRest();
  }
  return received;
}

test.each([
  ["rows", 16 * `{"id":"00000000","value":""}\n`.length],
  ["files", 0],
])("1 GiB as %s takes flat memory, and none is made while its reader rests", async (kind, extraBytes) => {
  await using stack = new AsyncDisposableStack();
  const service = await start(stack, "streaming-service.ts");
  const gateway = await start(stack, "streaming-gateway.ts", JSON.stringify(service.ready.urls));
  const peaks = async () => [(await service.report()).peakBytes, (await gateway.report()).peakBytes];
  const chunks = gibi / chunkBytes;
  const headers = { authorization: `Bearer ${service.ready.token}` };
  const request = get(`${gateway.ready.url}/api/v1/test/${kind}/${String(chunks).padStart(16, "0")}`, { headers });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let before: number[] = [];
  const received = await readWithRest(response, async () => {
    let made = -1;
    await expect.poll(async () => made === (made = (await service.report()).made!), { interval: 300 }).toBe(true);
    expect(made * chunkBytes).toBeLessThan(gibi / 4 + 64 * mebi);
    before = await peaks();
  });
  expect(received).toBe(chunks * (chunkBytes + extraBytes));
  const grown = (await peaks()).map((bytes, index) => bytes - before[index]!);
  // Three quarters of the stream came after the rest.
  expect(Math.max(...grown)).toBeLessThan(256 * mebi);
});
