import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { servesJetStream } from "../src/nats/nats-process.ts";
import { startNats } from "../src/nats/start-nats.ts";
import { isAlive } from "../src/processes/process-info.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-nats-"));
});
afterAll(() => rm(directory, { recursive: true }));

test("serves JetStream from its directory, stops on disposal and starts again on the same port", async () => {
  const dataDir = join(directory, "streams");
  const first = await startNats({ dataDir });
  expect(await servesJetStream(first.port)).toBe(true);
  await first[Symbol.asyncDispose]();
  expect(await servesJetStream(first.port)).toBe(false);
  await using second = await startNats({ dataDir, port: first.port });
  expect(second.url).toBe(first.url);
  expect(second.pid).not.toBe(first.pid);
});

test("does not outlive the process that started it", async () => {
  const script = `
    const { startNats } = await import(${JSON.stringify(join(import.meta.dirname, "../src/nats/start-nats.ts"))});
    const server = await startNats({ dataDir: ${JSON.stringify(join(directory, "orphan"))} });
    process.stdout.write(String(server.pid));
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(owner.stdout, "data")) as [Buffer];
  const pid = Number(printed);
  expect(isAlive(pid)).toBe(true);
  owner.kill("SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test("a start that fails gives the server's own words", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const start = startNats({ dataDir: join(directory, "taken"), port });
  await expect(start).rejects.toThrow(/^nats-server did not start:\n.*address already in use/s);
  other.close();
});
