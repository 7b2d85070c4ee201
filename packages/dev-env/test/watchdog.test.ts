import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isAlive } from "../src/is-alive.ts";
import { startWatchdog, waitForFormerWatchdog } from "../src/watchdog.ts";

let directory: string;
let pidFile: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-watchdog-"));
  pidFile = join(directory, "watchdog.pid");
});
afterEach(() => rm(directory, { recursive: true }));

/** A process that says which signals it got, in order with others of the same file, and ends unless it is deaf. */
async function startShell(name: string, deaf = false): Promise<number> {
  const trap = (signal: string) =>
    `trap 'echo ${name} ${signal} >>"${directory}/signals"; ${deaf ? ":" : "sleep 0.3; exit"}' ${signal}`;
  const script = `${trap("TERM")}; ${trap("INT")}; echo up; while :; do sleep 0.05; done`;
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  await once(child.stdout, "data");
  return child.pid!;
}

const signals = async () => (await readFile(join(directory, "signals"), "utf8")).trim().split("\n");

test("stops programs before the servers they use, whatever the order they were named in", async () => {
  const watchdog = await startWatchdog(pidFile, []);
  const server = await startShell("server");
  const program = await startShell("program");
  watchdog.watch(server, "SIGINT");
  watchdog.watch(program, "SIGTERM");
  await watchdog[Symbol.asyncDispose]();
  expect(await signals()).toEqual(["program TERM", "server INT"]);
  expect([server, program].map(isAlive)).toEqual([false, false]);
});

test("kills what does not end, and leaves alone what it was told to forget", async () => {
  const watchdog = await startWatchdog(pidFile, [], 1);
  const deaf = await startShell("deaf", true);
  const foreign = await startShell("foreign");
  watchdog.watch(deaf, "SIGTERM");
  watchdog.watch(foreign, "SIGTERM");
  watchdog.forget(foreign, "SIGTERM");
  await watchdog[Symbol.asyncDispose]();
  expect([deaf, foreign].map(isAlive)).toEqual([false, true]);
  expect(await signals()).toEqual(["deaf TERM"]);
  process.kill(foreign, "SIGKILL");
});

test("removes its files at the end, also from a directory with blanks in its name", async () => {
  const local = join(directory, "local state.json");
  await writeFile(local, "{}");
  const watchdog = await startWatchdog(pidFile, [local]);
  expect(isAlive(Number(await readFile(pidFile, "utf8")))).toBe(true);
  await watchdog[Symbol.asyncDispose]();
  expect(await readdir(directory)).toEqual([]);
});

test("a pid file that nobody stands behind holds up no start", async () => {
  for (const content of ["not a number\n", "4194305\n", ""]) {
    await writeFile(pidFile, content);
    await expect(waitForFormerWatchdog(pidFile)).resolves.toBeUndefined();
  }
});
