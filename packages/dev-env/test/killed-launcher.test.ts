import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isAlive } from "../src/is-alive.ts";
import { readLocalFile } from "@canvass/operator";
import { readRoster } from "../src/roster.ts";
import type { RosterState } from "../src/roster.ts";

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
  await rm(directory, { recursive: true });
});

/** A start with PostgreSQL and NATS of its own, and what runs then. */
async function start(port: number): Promise<RosterState> {
  const program = join(import.meta.dirname, "fixtures/launcher.ts");
  launcher = spawn(process.execPath, [program, dataDir], {
    env: { PATH: process.env["PATH"], FIXTURE_SERVERS: "own", FIXTURE_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(createInterface({ input: launcher.stdout! }), "line");
  return readRoster(join(dataDir, "processes.json"));
}

async function killWithWatchdog({ watchdog }: RosterState): Promise<void> {
  process.kill(watchdog!.pid, "SIGKILL");
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test.each([
  ["a free port", async () => 0],
  ["a fixed port", freePort],
])("launcher and watchdog killed, on %s: the next start ends what they left and finds the data", async (_, port) => {
  const chosen = await port();
  const first = await start(chosen);
  expect(first.processes).toHaveLength(5);
  await query("CREATE TABLE kept AS SELECT 7 AS x");
  const before = await readLocalFile(join(dataDir, "local.json"));
  await killWithWatchdog(first);
  expect(first.processes.every(({ pid }) => isAlive(pid))).toBe(true);

  const second = await start(chosen);
  expect(first.processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  expect(second.processes).toHaveLength(5);
  expect(await query("SELECT x FROM kept")).toEqual([{ x: 7 }]);
  // The same addresses: nothing of the first set held them.
  expect((await readLocalFile(join(dataDir, "local.json")))!.natsUrl).toBe(before!.natsUrl);
  launcher!.kill("SIGTERM");
  await once(launcher!, "exit");
  expect([...second.processes, second.watchdog!].filter(({ pid }) => isAlive(pid))).toEqual([]);
});

test("a process that has got the id of one of ours since is left alone", async () => {
  const first = await start(0);
  await killWithWatchdog(first);
  const foreign = spawn("/bin/sh", ["-c", "while :; do sleep 0.05; done"], { stdio: "ignore" });
  const file = join(dataDir, "processes.json");
  const listed = JSON.parse(await readFile(file, "utf8")) as RosterState;
  const [victim] = first.processes;
  const processes = [...listed.processes, { ...victim!, pid: foreign.pid! }];
  await writeFile(file, JSON.stringify({ ...listed, watchdog: { ...first.watchdog!, pid: foreign.pid! }, processes }));
  await start(0);
  expect(first.processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  expect(isAlive(foreign.pid!)).toBe(true);
  foreign.kill("SIGKILL");
});

test("the launcher killed while PostgreSQL starts: nothing of it is left", async () => {
  const starting = start(0).catch(() => undefined);
  const file = join(dataDir, "processes.json");
  await expect
    .poll(async () => (await readRoster(file).catch(() => undefined))?.processes.length ?? 0)
    .toBeGreaterThan(0);
  const { processes, watchdog } = await readRoster(file);
  launcher!.kill("SIGKILL");
  await expect.poll(() => [...processes, watchdog!].filter(({ pid }) => isAlive(pid)), { timeout: 15_000 }).toEqual([]);
  void starting;
  await start(0);
  expect(await query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});
