import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { isAlive } from "../src/processes/process-info.ts";
import { readLocalFile } from "@canvass/operator/local-file";
import { startSystem } from "../src/start-system.ts";
import type { StartSystemOptions, System } from "../src/start-system.ts";
import type { SupervisorEvent } from "../src/supervised-process.ts";

import { fixtureProcesses } from "./fixtures/processes.ts";

let directory: string;
let dataDir: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-launcher-"));
  dataDir = join(directory, "data");
});
afterEach(() => rm(directory, { recursive: true }));

let workspaces = 0;
function start(options: Partial<StartSystemOptions> = {}): Promise<System> {
  return startSystem({
    dataDir,
    natsUrl: "nats://127.0.0.1:1",
    databaseUrl: "postgresql://127.0.0.1:1/x",
    processes: fixtureProcesses(),
    createWorkspace: async () => ({ workspaceId: `w${++workspaces}`, personId: "p", token: "t" }),
    findTokenFault: async () => undefined,
    ...options,
  });
}

type Launcher = { launcher: ChildProcess; pids: number[]; told: string[] };

async function spawnLauncher(modes: string[] = [], env: Record<string, string> = {}): Promise<Launcher> {
  const launcher = spawn(process.execPath, [join(import.meta.dirname, "fixtures/launcher.ts"), dataDir, ...modes], {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told: string[] = [];
  const lines = createInterface({ input: launcher.stdout }).on("line", (line) => told.push(line));
  const [line] = (await once(lines, "line")) as [string];
  return { launcher, pids: JSON.parse(line) as number[], told };
}

const withoutPids = ({ processes, ...rest }: System["local"]) => [rest, processes.map(({ url }) => url)];

describe("local.json", () => {
  test("describes the running system, is private, follows restarts and goes with the system", async () => {
    const system = await start();
    const path = join(dataDir, "local.json");
    const before = await readLocalFile(path);
    expect(before).toEqual(system.local);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(before?.processes.map(({ name }) => name)).toEqual(["gateway", "token", "survey"]);
    const old = before!.processes[1]!.pid;
    await system.kill("token", "SIGKILL");
    await system.waitReady();
    await expect.poll(async () => (await readLocalFile(path))!.processes[1]!.pid).not.toBe(old);
    expect((await readLocalFile(path))!.processes[1]!.url).toBe(before!.processes[1]!.url);
    const pids = system.local.processes.map(({ pid }) => pid);
    await system[Symbol.asyncDispose]();
    expect(await readLocalFile(path)).toBeUndefined();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("the second start finds token, addresses and keys again", async () => {
    const first = await start();
    const before = first.local;
    await first[Symbol.asyncDispose]();
    await using second = await start();
    expect(withoutPids(second.local)).toEqual(withoutPids(before));
    expect(second.keys).toEqual(first.keys);
    expect([first.tokenIsNew, second.tokenIsNew]).toEqual([true, false]);
  });
});

describe("the environment of a process", () => {
  test("has its own addresses and keys, the settings for all, and nothing of the terminal", async () => {
    process.env["FIXTURE_SECRET_OF_THE_TERMINAL"] = "x";
    await using system = await start({ env: { CANVASS_RATE_LIMITS: "off", CANVASS_RPC_PORT: "1" } });
    const environmentOf = async (name: string) =>
      (await (await fetch(`${system.opsUrl(name)}/environment`)).json()) as Record<string, string>;
    const token = await environmentOf("token");
    expect(token).toMatchObject({
      CANVASS_RATE_LIMITS: "off",
      CANVASS_RPC_PORT: new URL(system.rpcUrl("token")).port,
      CANVASS_SURVEY_URL: system.rpcUrl("survey"),
      CANVASS_PEER_KEY: system.keys.peerKey,
      NATS_URL: "nats://127.0.0.1:1",
    });
    expect(token).not.toHaveProperty("FIXTURE_SECRET_OF_THE_TERMINAL");
    expect(token).not.toHaveProperty("CANVASS_SECRETS_KEY");
  });
});

describe("no process is left behind", () => {
  test("when everything is to be killed at once", async () => {
    const { launcher, pids, told } = await spawnLauncher(["token=deaf"]);
    launcher.kill("SIGINT");
    await once(launcher, "close");
    expect(pids.filter(isAlive)).toEqual([]);
    // None was killed because the time to stop was over.
    expect(told).toHaveLength(1);
  });

  test("when a start fails, and the failing process' words are shown", async () => {
    const pids: number[] = [];
    const onEvent = (event: SupervisorEvent) => void (event.type === "ready" && pids.push(event.pid));
    const failing = start({ processes: fixtureProcesses({ survey: "crash" }), onEvent });
    await expect(failing).rejects.toThrow(/survey process did not become ready[^]*FIXTURE_SETTING/);
    expect(pids.filter(isAlive)).toEqual([]);
    await using _ = await start();
  });

  test("when it is killed in the middle of a start", async () => {
    const kill = new AbortController();
    const pids: number[] = [];
    const onEvent = (event: SupervisorEvent) => {
      if (event.type === "ready") pids.push(event.pid);
      kill.abort();
    };
    const options = { processes: fixtureProcesses({ survey: "never", token: "deaf" }), onEvent };
    await expect(start({ ...options, killSignal: kill.signal })).rejects.toThrow("process was killed");
    expect(pids).not.toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("when a start is broken off", async () => {
    const stop = new AbortController();
    const pids: number[] = [];
    const onEvent = (event: SupervisorEvent) => {
      if (event.type === "ready") pids.push(event.pid);
      stop.abort(new Error("Ctrl-C"));
    };
    const options = { processes: fixtureProcesses({ survey: "never" }), onEvent, signal: stop.signal };
    await expect(start(options)).rejects.toThrow("Ctrl-C");
    expect(pids).not.toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe("a start is refused in one sentence", () => {
  test("when another launcher runs on the data directory; that one keeps running", async () => {
    const { launcher, pids } = await spawnLauncher();
    await expect(start()).rejects.toThrow(`already running on this data directory (process ${launcher.pid})`);
    expect(pids.every(isAlive)).toBe(true);
    launcher.kill("SIGTERM");
    await once(launcher, "exit");
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("not after a kill: the next start ends leftover processes", async () => {
    const { launcher, pids } = await spawnLauncher();
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    await using system = await start();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(system.local.processes).toHaveLength(3);
  });

  test("when the gateway's port is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(`Port ${port} is taken by another program`);
    other.close();
  });
});
