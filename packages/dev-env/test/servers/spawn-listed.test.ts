import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isAlive } from "../../src/processes/process-info.ts";
import { spawnListed } from "../../src/processes/spawn-listed.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-listed-"));
});
afterEach(() => rm(directory, { recursive: true }));

const touch = ["-c", 'echo "$0" "$1" >began; cat >>began', "an argument", "with 'quotes' and $signs"];

test("a program begins when it is listed, with its own words and nothing to read", async () => {
  const heard: number[] = [];
  const child = spawnListed("/bin/sh", touch, { cwd: directory, stdio: ["ignore", "ignore"] }, ({ pid }) =>
    heard.push(pid!),
  );
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(heard).toEqual([child.pid]);
  expect(await readFile(join(directory, "began"), "utf8")).toBe("an argument with 'quotes' and $signs\n");
});

test("one that cannot be listed does not begin", async () => {
  const options = { cwd: directory, stdio: ["ignore", "ignore"] } as const;
  const pids: number[] = [];
  const refuse = ({ pid }: ChildProcess) => {
    pids.push(pid!);
    throw new Error("the disk is full");
  };
  expect(() => spawnListed("/bin/sh", touch, options, refuse)).toThrow("the disk is full");
  await expect.poll(() => isAlive(pids[0]!)).toBe(false);
  expect(await readdir(directory)).toEqual([]);
});

test("nor does one whose launcher is killed before it could list it", async () => {
  const program = `
    import { writeSync } from "node:fs";
    import { spawnListed } from ${JSON.stringify(join(import.meta.dirname, "../../src/processes/spawn-listed.ts"))};
    spawnListed("/bin/sh", ${JSON.stringify(touch)}, { cwd: process.argv[1], stdio: ["ignore", "ignore"] }, ({ pid }) => {
      writeSync(1, String(pid));
      process.kill(process.pid, "SIGKILL");
    });`;
  const launcher = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program, directory]);
  const [pid] = (await once(launcher.stdout, "data")) as [Buffer];
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
  expect(await readdir(directory)).toEqual([]);
});
