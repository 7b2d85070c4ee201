import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { endProcesses } from "../../src/processes/end-processes.ts";
import { isAlive, processInfo } from "../../src/processes/process-info.ts";
import { keepWatchdog } from "../../src/processes/watchdog.ts";

let directory: string;
const started: number[] = [];
beforeEach(async () => {
  // With a blank, as real directories have.
  directory = await mkdtemp(join(tmpdir(), "canvass watchdog-"));
});
afterEach(async () => {
  for (const pid of started.splice(0).filter(isAlive)) process.kill(pid, "SIGKILL");
  await rm(directory, { recursive: true });
});

/** A process that logs its signals, in order with others of the file, and ends unless deaf. */
async function startShell(name: string, deaf = false): Promise<ChildProcess> {
  const trap = (signal: string) =>
    `trap 'echo ${name} ${signal} >>"${directory}/signals"; ${deaf ? ":" : "sleep 0.3; exit"}' ${signal}`;
  const script = `${trap("TERM")}; ${trap("INT")}; echo up; while :; do sleep 0.05; done`;
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  started.push(child.pid!);
  await once(child.stdout, "data");
  return child;
}

const signals = async () => (await readFile(join(directory, "signals"), "utf8").catch(() => "")).trim().split("\n");

test("programs are stopped before the servers they use, whatever the order they were listed in", async () => {
  const pids: number[] = [];
  const watchdog = await keepWatchdog({ onStart: (pid) => pids.push(pid) });
  for (const [name, signal] of [
    ["server", "SIGINT"],
    ["program", "SIGTERM"],
  ] as const) {
    const child = await startShell(name);
    watchdog.watch(signal)(child);
    pids.push(child.pid!);
  }
  await watchdog[Symbol.asyncDispose]();
  expect(await signals()).toEqual(["program TERM", "server INT"]);
  expect(pids.map(isAlive)).toEqual([false, false, false]);
});

test("what does not end is killed, also one that is frozen", async () => {
  const [deaf, frozen] = [await startShell("deaf", true), await startShell("frozen")];
  frozen.kill("SIGSTOP");
  const listed = [deaf, frozen].map(({ pid }) => ({ pid: pid!, stopSignal: "SIGTERM" as const }));
  await endProcesses(listed, "orderly", 3_000);
  expect(listed.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
  expect((await signals()).toSorted()).toEqual(["deaf TERM", "frozen TERM"]);
});

test("a process that got the pid of one that ended is left alone", async () => {
  const stranger = await startShell("stranger", true);
  const { started } = processInfo(stranger.pid!)!;
  await endProcesses([{ pid: stranger.pid!, stopSignal: "SIGTERM", started: `not ${started}` }], "orderly", 100);
  expect(isAlive(stranger.pid!)).toBe(true);
  expect(await signals()).toEqual([""]);
});

test("a watchdog that dies is replaced, and the new one ends what runs, and nothing that ended before", async () => {
  const file = join(directory, "local.json");
  await writeFile(file, "{}");
  const keeper = spawn(process.execPath, ["--input-type=module-typescript", "--eval", KEEPER, file], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(keeper.pid!);
  const lines = keeper.stdout.setEncoding("utf8");
  const [told] = (await once(lines, "data")) as [string];
  const { watchdog, stays } = JSON.parse(told) as { watchdog: number; stays: number };
  started.push(stays);
  process.kill(watchdog, "SIGKILL");
  const [next] = (await once(lines, "data")) as [string];
  const { watchdog: second, listed } = JSON.parse(next) as { watchdog: number; listed: number };
  expect(second).not.toBe(watchdog);
  expect(listed).toBe(1);
  keeper.kill("SIGKILL");
  await expect.poll(() => [stays, second].map(isAlive)).toEqual([false, false]);
  expect(await readdir(directory)).toEqual([]);
});

const KEEPER = `
  import { spawn } from "node:child_process";
  import { once } from "node:events";
  import { keepWatchdog } from "${new URL("../../src/processes/watchdog.ts", import.meta.url).href}";
  const children = new Set();
  let stays;
  const onStart = (watchdog) => {
    if (stays) process.stdout.write(JSON.stringify({ watchdog, listed: children.size }));
    first = watchdog;
  };
  let first;
  const watchdog = await keepWatchdog({ files: [process.argv[1]], onStart });
  const run = (script) => {
    const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: "ignore" });
    watchdog.watch("SIGTERM")(child);
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  };
  await once(run("exit"), "exit");
  stays = run("while :; do sleep 0.05; done").pid;
  process.stdout.write(JSON.stringify({ watchdog: first, stays }));
  setInterval(() => {}, 1000);`;
