import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { respondsOk, startProgram } from "../src/processes/program.ts";
import { isAlive } from "../src/processes/process-info.ts";
import { openRoster } from "../src/processes/roster.ts";
import { reservePorts } from "../src/ports.ts";
import type { ReservedPorts } from "../src/ports.ts";
import type { Roster } from "../src/processes/roster.ts";
import { createSupervisor } from "../src/supervisor.ts";
import type { ProcessPlan, SupervisorEvent } from "../src/supervised-process.ts";
import type { Supervisor } from "../src/supervisor.ts";

const ENTRY = join(import.meta.dirname, "fixtures/service.ts");
let directory: string;
let reserved: ReservedPorts;
let roster: Roster;
let supervisor: Supervisor;
let events: SupervisorEvent[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-supervisor-"));
  reserved = await reservePorts(join(directory, "ports.json"), ["one", "two"]);
  roster = await openRoster();
  events = [];
  supervisor = supervise(20_000);
});

function supervise(stopDeadlineMs: number): Supervisor {
  return createSupervisor({
    roster,
    onEvent: (event) => events.push(event),
    restartMs: 20,
    stopDeadlineMs,
    readyDeadlineMs: 30_000,
  });
}
afterEach(async () => {
  await Promise.all(["one", "two"].map(supervisor.stop));
  await roster[Symbol.asyncDispose]();
  await reserved[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

function plan(name: string, mode = ""): ProcessPlan {
  const port = reserved.ports[name]!;
  const logFile = join(directory, `${name}.log`);
  const env = { FIXTURE_MODE: mode, CANVASS_OPS_PORT: String(port), CANVASS_OPS_HOST: "127.0.0.1" };
  return {
    name,
    logFile,
    stopSignal: "SIGTERM",
    start: (onSpawn) =>
      startProgram({ command: process.execPath, args: [ENTRY], env, cwd: directory, logFile }, onSpawn),
    isReady: () => respondsOk(`http://127.0.0.1:${port}/readyz`),
  };
}

async function startReady(name: string, mode = ""): Promise<number> {
  supervisor.start(plan(name, mode));
  await supervisor.waitReady(name);
  return supervisor.pid(name)!;
}

describe("a process that dies", () => {
  test("is started again at the same address", async () => {
    const pids = [await startReady("one")];
    for (let death = 1; death <= 3; death++) {
      await supervisor.kill("one", "SIGKILL");
      await supervisor.waitReady("one");
      pids.push(supervisor.pid("one")!);
    }
    expect(new Set(pids).size).toBe(4);
    const died = events.filter((event) => event.type === "died");
    expect(died.map(({ restartInMs }) => restartInMs)).toEqual([20, 20, 20]);
    expect(died[0]).toMatchObject({ name: "one", reason: "SIGKILL" });
    expect(events.filter((event) => event.type === "ready" && event.restarted)).toHaveLength(3);
  });

  test("does not disturb the others", async () => {
    const [, other] = await Promise.all([startReady("one"), startReady("two")]);
    await supervisor.kill("one", "SIGKILL");
    await supervisor.waitAllReady();
    expect(supervisor.pid("two")).toBe(other);
  });

  test("before it was ever ready is given up, with its last words", async () => {
    supervisor.start(plan("one", "crash"));
    await expect(supervisor.waitReady("one")).rejects.toThrow(
      /^The one process did not become ready \(exit code 1\)\. Its last words:\n[^]*missing or invalid environment: FIXTURE_SETTING/,
    );
    expect(events).toEqual([]);
  });

  test("before it was ever ready is given up, and the words of earlier starts are not its own", async () => {
    await writeFile(join(directory, "one.log"), '{"level":"info","msg":"of an earlier start"}\n');
    supervisor.start(plan("one", "misconfigured"));
    const { message } = await supervisor.waitReady("one").then(
      () => expect.fail(),
      (error: Error) => error,
    );
    expect(message).toMatch(
      /\(exit code 78\)\. Its last words:\n {2}.*starting.*\n {2}FATAL: one: missing.*FIXTURE_SETTING$/,
    );
    expect(events).toEqual([]);
  });

  test("whose program does not exist is not tried again", async () => {
    const missing = {
      ...plan("one"),
      start: () => {
        const logFile = join(directory, "one.log");
        return startProgram({ command: "/nowhere/program", args: [], env: {}, cwd: directory, logFile }, () => {});
      },
    };
    supervisor.start(missing);
    await expect(supervisor.waitReady("one")).rejects.toThrow("/nowhere/program cannot be started");
    expect(events).toEqual([]);
  });
});

describe("stopping", () => {
  test("lets a process end in its own way and does not start it again", async () => {
    const pid = await startReady("one");
    await supervisor.stop("one");
    expect(isAlive(pid)).toBe(false);
    expect(await readFile(join(directory, "one.log"), "utf8")).toContain('"msg":"stopping"');
    expect(events.map(({ type }) => type)).toEqual(["ready"]);
  });

  test("kills one that ignores its signal after the deadline", async () => {
    supervisor = supervise(300);
    const pid = await startReady("one", "deaf");
    await supervisor.stop("one");
    expect(isAlive(pid)).toBe(false);
    expect(events.at(-1)).toEqual({ type: "killed", name: "one", afterMs: 300 });
  });

  test("also ends one that is frozen", async () => {
    const pid = await startReady("one");
    await supervisor.kill("one", "SIGSTOP");
    await supervisor.stop("one");
    expect(isAlive(pid)).toBe(false);
    expect(events.map(({ type }) => type)).toEqual(["ready"]);
  });

  test("while it waits for its next start ends the waiting", async () => {
    await startReady("one");
    for (let death = 0; death < 3; death++) {
      await supervisor.kill("one", "SIGKILL");
      if (death < 2) await supervisor.waitReady("one");
    }
    await supervisor.stop("one");
    expect(supervisor.pid("one")).toBeUndefined();
    expect(events.at(-1)?.type).toBe("died");
  });

  test("and starting again works", async () => {
    const before = await startReady("one");
    await supervisor.stop("one");
    expect(await startReady("one")).not.toBe(before);
  });

  test("a wait for readiness can be given up", async () => {
    supervisor.start(plan("one", "never"));
    const impatience = new AbortController();
    const waiting = supervisor.waitReady("one", impatience.signal);
    impatience.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

test("killAll leaves nothing running, deaf or not, and restarts nothing", async () => {
  const pids = await Promise.all([startReady("one", "deaf"), startReady("two")]);
  await supervisor.killAll();
  expect(pids.map(isAlive)).toEqual([false, false]);
  await supervisor.stop("one");
  expect(events.filter(({ type }) => type !== "ready")).toEqual([]);
});
