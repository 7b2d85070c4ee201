import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { anyFreePort } from "../src/servers/index.ts";
import { readLocalFile } from "@canvass/operator/local-file";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isAlive } from "../src/processes/process-info.ts";
import { startNats } from "../src/servers/nats/start-nats.ts";

let directory: string;
let dataDir: string;
let launcher: ChildProcess | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-killed-"));
  dataDir = join(directory, "data");
});
afterEach(async () => {
  launcher?.kill("SIGTERM");
  if (launcher?.exitCode === null && launcher.signalCode === null) await once(launcher, "exit");
  for (const stray of await processesOfDataDir()) kill(pidOf(stray));
  await rm(directory, { recursive: true });
});

/** A start with its own PostgreSQL and NATS; returns what runs. */
async function start(port: number): Promise<{ pids: number[]; errors: string }> {
  const program = join(import.meta.dirname, "fixtures/launcher.ts");
  launcher = spawn(process.execPath, [program, dataDir], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      FIXTURE_SERVERS: "own",
      FIXTURE_PORT: String(port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  launcher.stderr!.on("data", (chunk) => (errors += String(chunk)));
  const [line] = await Promise.race([
    once(createInterface({ input: launcher.stdout! }), "line"),
    once(launcher, "close"),
  ]);
  return { pids: typeof line === "string" ? (JSON.parse(line) as number[]) : [], errors };
}

async function killLauncher(): Promise<void> {
  launcher!.kill("SIGKILL");
  await once(launcher!, "exit");
}

async function query(text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: (await readLocalFile(join(dataDir, "local.json")))!.databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

test.each([
  ["a free port", async () => 0],
  ["a fixed port", anyFreePort],
])("the launcher killed, on %s: a start right after it finds the data at the same addresses", async (_, port) => {
  const chosen = await port();
  const first = await start(chosen);
  expect(first.pids).toHaveLength(5);
  await query("CREATE TABLE kept AS SELECT 7 AS x");
  const before = await readLocalFile(join(dataDir, "local.json"));
  await killLauncher();

  const second = await start(chosen);
  expect(first.pids.filter(isAlive)).toEqual([]);
  expect(second.pids).toHaveLength(5);
  expect(await query("SELECT x FROM kept")).toEqual([{ x: 7 }]);
  // The ports of the first start are free again.
  const { baseUrl, natsUrl } = (await readLocalFile(join(dataDir, "local.json")))!;
  expect([baseUrl, natsUrl]).toEqual([before!.baseUrl, before!.natsUrl]);
});

test(
  "the launcher killed while PostgreSQL starts: the next start ends what is left of it",
  { skip: process.platform !== "linux", meta: { skipReason: "only Linux has /proc" } },
  async () => {
    const starting = start(0);
    await expect.poll(listedOfDataDir).toContainEqual(expect.stringContaining("postgres"));
    launcher!.kill("SIGKILL");
    await starting;
    const left = await processesOfDataDir();
    expect((await start(0)).pids).toHaveLength(5);
    const now = await processesOfDataDir();
    expect(now.filter((process) => left.includes(process))).toEqual([]);
    expect(await query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  },
);

/** Processes of the data directory that a roster lists. */
async function listedOfDataDir(): Promise<string[]> {
  const folder = join(WORKSPACE_ROOT, "node_modules/.cache/running");
  const names = await readdir(folder).catch(() => []);
  const lists = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  const isListed = (command: string) => lists.some((list) => list.includes(`"pid":${pidOf(command)},`));
  return (await processesOfDataDir()).filter(isListed);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

const pidOf = (command: string) => Number.parseInt(command, 10);

async function processesOfDataDir(): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = ids.map(async (id) => `${id} ${await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")}`);
  return (await Promise.all(commands)).filter((command) => command.includes(dataDir));
}

test("a NATS server that is not listed is stopped by the next one on its folder", async () => {
  await using first = await startNats({ dataDir });
  await using second = await startNats({ dataDir });
  expect([first.pid, second.pid].map(isAlive)).toEqual([false, true]);
});
