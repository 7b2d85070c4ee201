import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { endProcesses } from "../../src/processes/end-processes.ts";
import { isAlive, processInfo } from "../../src/processes/process-info.ts";
import { startProgram } from "../../src/processes/program.ts";
import { endLeftovers, findLeftovers, openRoster } from "../../src/processes/roster.ts";

let directory: string;
let folder: string;
const started: number[] = [];
beforeEach(async () => {
  // With a blank, as real directories have.
  directory = await mkdtemp(join(tmpdir(), "canvass roster-"));
  folder = join(directory, "running");
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

test("programs are stopped before the servers they use, in any order of the list", async () => {
  const pids: number[] = [];
  const roster = await openRoster({ folder });
  for (const [name, signal] of [
    ["server", "SIGINT"],
    ["program", "SIGTERM"],
  ] as const) {
    const child = await startShell(name);
    roster.list(signal)(child);
    pids.push(child.pid!);
  }
  await roster[Symbol.asyncDispose]();
  expect(await signals()).toEqual(["program TERM", "server INT"]);
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(await readdir(folder)).toEqual([]);
});

test("processes that do not end are killed, even frozen ones", async () => {
  const [deaf, frozen] = [await startShell("deaf", true), await startShell("frozen")];
  frozen.kill("SIGSTOP");
  const listed = [deaf, frozen].map(({ pid }) => ({
    pid: pid!,
    stopSignal: "SIGTERM" as const,
    started: processInfo(pid!)!.started,
  }));
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

test("a later roster ends what a killed owner left, removes its files, and touches nothing of a living one", async () => {
  const file = join(directory, "local.json");
  await writeFile(file, "{}");
  const owner = spawn(process.execPath, ["--input-type=module-typescript", "--eval", OWNER, folder, file], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(owner.pid!);
  const [told] = (await once(owner.stdout.setEncoding("utf8"), "data")) as [string];
  const { ended, stays } = JSON.parse(told) as { ended: number; stays: number };
  started.push(stays);
  await using _living = await openRoster({ folder });
  expect(isAlive(stays)).toBe(true);

  owner.kill("SIGKILL");
  await once(owner, "exit");
  const [left] = findLeftovers(folder);
  expect(left!.processes.map(({ pid }) => pid)).toEqual([stays]);
  expect(ended).not.toBe(stays);
  // Two starts at the same time.
  await Promise.all([endLeftovers([left!]), openRoster({ folder }).then((roster) => roster[Symbol.asyncDispose]())]);
  expect(isAlive(stays)).toBe(false);
  expect(await readdir(directory)).toEqual(["running"]);
  expect(await readdir(folder)).toHaveLength(1);
});

test("a torn list of a machine that crashed does not stop a start", async () => {
  await (await openRoster({ folder }))[Symbol.asyncDispose]();
  await writeFile(join(folder, "torn.json"), '{"owner":');
  expect(findLeftovers(folder)).toEqual([]);
});

const program = (name: string) => ({
  command: "/bin/sh",
  args: ["-c", "while :; do sleep 0.05; done"],
  env: {},
  cwd: directory,
  logFile: join(directory, `${name}.log`),
});

/** From now on no list can be written. */
async function blockFolder(): Promise<void> {
  await rm(folder, { recursive: true });
  await writeFile(folder, "in the way");
}

test("a program that cannot be listed does not stay", async () => {
  await using roster = await openRoster({ folder });
  await blockFolder();
  let pid = 0;
  const list = (child: ChildProcess) => {
    pid = child.pid!;
    roster.list("SIGTERM")(child);
  };
  await expect(startProgram(program("unlisted"), list)).rejects.toThrow("/bin/sh cannot be started");
  await expect.poll(() => isAlive(pid)).toBe(false);
  await rm(folder);
});

test("a program that ends while the list cannot be written disturbs nothing", async () => {
  await using roster = await openRoster({ folder });
  const { pid, exited } = await startProgram(program("ends"), roster.list("SIGTERM"));
  await blockFolder();
  process.kill(pid, "SIGKILL");
  expect(await exited).toBe("SIGKILL");
  await rm(folder);
});

const OWNER = `
  import { spawn } from "node:child_process";
  import { once } from "node:events";
  import { openRoster } from "${new URL("../../src/processes/roster.ts", import.meta.url).href}";
  const [, folder, file] = process.argv;
  const roster = await openRoster({ files: [file], folder });
  const run = (script) => {
    const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: "ignore" });
    roster.list("SIGTERM")(child);
    return child;
  };
  const short = run("exit");
  await once(short, "exit");
  const stays = run("while :; do sleep 0.05; done").pid;
  process.stdout.write(JSON.stringify({ ended: short.pid, stays }));
  setInterval(() => {}, 1000);`;
