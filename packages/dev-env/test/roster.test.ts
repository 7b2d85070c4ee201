import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { endProcesses } from "../src/end-processes.ts";
import { isAlive } from "../src/is-alive.ts";
import { endLeftovers } from "../src/leftovers.ts";
import { startOf } from "../src/process-start.ts";
import { keepRoster, readRoster } from "../src/roster.ts";

let directory: string;
let file: string;
const started: number[] = [];
beforeEach(async () => {
  // A blank, as people have them in the names of their directories.
  directory = await mkdtemp(join(tmpdir(), "canvass roster-"));
  file = join(directory, "processes.json");
});
afterEach(async () => {
  for (const pid of started.splice(0).filter(isAlive)) process.kill(pid, "SIGKILL");
  await rm(directory, { recursive: true });
});

/** A process that says which signals it got, in order with others of the same file, and ends unless it is deaf. */
async function startShell(name: string, deaf = false): Promise<number> {
  const trap = (signal: string) =>
    `trap 'echo ${name} ${signal} >>"${directory}/signals"; ${deaf ? ":" : "sleep 0.3; exit"}' ${signal}`;
  const script = `${trap("TERM")}; ${trap("INT")}; echo up; while :; do sleep 0.05; done`;
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  started.push(child.pid!);
  await once(child.stdout, "data");
  return child.pid!;
}

const signals = async () => (await readFile(join(directory, "signals"), "utf8").catch(() => "")).trim().split("\n");
const watchdogPid = async () => (await readRoster(file)).watchdog?.pid ?? 0;

test("programs are stopped before the servers they use, whatever the order they were listed in", async () => {
  const roster = await keepRoster(file);
  const server = await startShell("server");
  const program = await startShell("program");
  roster.add(server, "SIGINT");
  roster.add(program, "SIGTERM");
  const watchdog = await watchdogPid();
  await roster[Symbol.asyncDispose]();
  expect(await signals()).toEqual(["program TERM", "server INT"]);
  expect([server, program, watchdog].map(isAlive)).toEqual([false, false, false]);
  expect(await readdir(directory)).toEqual(["signals"]);
});

test("what does not end is killed, also one that is frozen; a process that got its id later is not even asked", async () => {
  const [deaf, frozen, foreign] = [
    await startShell("deaf", true),
    await startShell("frozen"),
    await startShell("foreign"),
  ];
  process.kill(frozen, "SIGSTOP");
  const listed = [deaf, frozen].map((pid) => ({ pid, start: startOf(pid)!, stopSignal: "SIGTERM" as const }));
  const recycled = { pid: foreign, start: "a former process' start", stopSignal: "SIGTERM" as const };
  expect(await endProcesses([...listed, recycled], "orderly", 1000)).toEqual([]);
  expect([deaf, frozen, foreign].map(isAlive)).toEqual([false, false, true]);
  expect((await signals()).toSorted()).toEqual(["deaf TERM", "frozen TERM"]);
});

test.each([
  ["", false],
  [", also when the roster's file is gone", true],
])("a watchdog that dies is replaced, and the new one does the work%s", async (_, fileGoes) => {
  const keeper = spawn(process.execPath, ["--input-type=module-typescript", "--eval", KEEPER, file], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(keeper.pid!);
  const [line] = (await once(keeper.stdout, "data")) as [Buffer];
  started.push(Number(line));
  const first = await watchdogPid();
  process.kill(first, "SIGKILL");
  await expect.poll(watchdogPid).not.toBe(first);
  if (fileGoes) await rm(file);
  keeper.kill("SIGKILL");
  await expect.poll(() => isAlive(Number(line)), { timeout: 10_000 }).toBe(false);
  await expect.poll(() => readdir(directory), { timeout: 10_000 }).toEqual([]);
});

const KEEPER = `
  import { spawn } from "node:child_process";
  import { keepRoster } from "${new URL("../src/roster.ts", import.meta.url).href}";
  const roster = await keepRoster(process.argv[1]);
  const { pid } = spawn("/bin/sh", ["-c", "while :; do sleep 0.05; done"], { detached: true, stdio: "ignore" });
  roster.add(pid, "SIGTERM");
  process.stdout.write(String(pid));
  setInterval(() => {}, 1000);`;

test("a copy of a directory does not end the processes of the original", async () => {
  await using roster = await keepRoster(file);
  const program = await startShell("program");
  roster.add(program, "SIGTERM");
  const copy = join(directory, "copy");
  await mkdir(copy);
  await cp(file, join(copy, "processes.json"));
  await endLeftovers(join(copy, "processes.json"), []);
  expect(isAlive(program)).toBe(true);
  expect(isAlive(await watchdogPid())).toBe(true);
});

test("a roster that can not be read holds up no start", async () => {
  for (const content of ["", "not JSON", "[]", "{}", "null", '{"place":1,"processes":[{"pid":1}]}']) {
    await writeFile(file, content);
    await endLeftovers(file, []);
    expect(await readdir(directory)).toEqual([]);
  }
});
