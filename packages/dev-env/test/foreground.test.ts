import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { isAlive } from "../src/processes/process-info.ts";
import { readLocalFile } from "@canvass/operator/local-file";

let directory: string;
let dataDir: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-foreground-"));
  dataDir = join(directory, "data");
});
afterEach(() => rm(directory, { recursive: true }));

type Foreground = { child: ChildProcessByStdio<null, Readable, Readable>; output: () => string; exit: Promise<number> };

const PROGRAM = join(import.meta.dirname, "fixtures/foreground.ts");

function run(env: Record<string, string> = {}, program = PROGRAM): Foreground {
  const child = spawn(process.execPath, [program, PROGRAM], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      CANVASS_DATA_DIR: dataDir,
      CANVASS_PORT: "0",
      NATS_URL: "nats://127.0.0.1:1",
      DATABASE_URL: "postgresql://127.0.0.1:1/x",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += String(chunk)));
  return { child, output: () => text, exit: once(child, "close").then(([code]) => Number(code)) };
}

/** Waits up to a minute, since a launcher and its processes load their code first. */
const shows = ({ output }: Foreground, expected: string | RegExp) =>
  expect.poll(output, { interval: 30, timeout: 60_000 }).toMatch(expected);

async function runningPids(): Promise<number[]> {
  const local = await readLocalFile(join(dataDir, "local.json"));
  return local!.processes.map(({ pid }) => pid);
}

describe("pnpm start", { timeout: 180_000 }, () => {
  test("shows its steps, address, token and a curl line; a signal stops all of it", async () => {
    const foreground = run({ FIXTURE_TRIAL: "survey1" });
    await shows(foreground, "Ctrl-C stops everything");
    const { publicUrl } = (await readLocalFile(join(dataDir, "local.json")))!;
    for (const part of [
      "✔ gateway",
      "✔ survey",
      `${publicUrl}/docs`,
      "cnv_fixture",
      "curl -H",
      publicUrl,
      "/s/fixture",
    ]) {
      expect(foreground.output()).toContain(part);
    }
    const pids = await runningPids();
    foreground.child.kill("SIGINT");
    // The same Ctrl-C from pnpm counts once.
    foreground.child.kill("SIGINT");
    expect(await foreground.exit).toBe(0);
    expect(foreground.output()).toContain("Stopped. The data stays in");
    expect(foreground.output()).not.toContain("Killing");
    expect(pids.filter(isAlive)).toEqual([]);

    const again = run();
    await shows(again, "Ctrl-C stops everything");
    expect(again.output()).not.toContain("cnv_fixture");
    again.child.kill("SIGTERM");
    expect(await again.exit).toBe(0);
  });

  test("runs although no survey to try can be made, and says so", async () => {
    const foreground = run({ FIXTURE_TRIAL: "real" });
    await shows(foreground, "Ctrl-C stops everything");
    expect(foreground.output()).toMatch(/^There is no survey to try \(.+\)\.$/m);
    foreground.child.kill("SIGINT");
    expect(await foreground.exit).toBe(0);
  });

  test("prints which process died and that it is back", async () => {
    const foreground = run();
    await shows(foreground, "Ctrl-C stops everything");
    process.kill((await runningPids())[1]!, "SIGKILL");
    await shows(foreground, /token ended \(SIGKILL\); it is started again in 1\.0 s\n.*token is ready again/);
    foreground.child.kill("SIGINT");
    expect(await foreground.exit).toBe(0);
  });

  test("a second Ctrl-C kills what does not stop", async () => {
    const foreground = run({ FIXTURE_MODES: "gateway=deaf" });
    await shows(foreground, "Ctrl-C stops everything");
    const pids = await runningPids();
    foreground.child.kill("SIGINT");
    await shows(foreground, "Stopping …");
    // Two within half a second are one wish.
    await delay(600);
    foreground.child.kill("SIGINT");
    expect(await foreground.exit).toBe(130);
    expect(foreground.output()).not.toContain("did not stop within");
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("stops when the pnpm that started it is killed", async () => {
    const pnpm = join(directory, "pnpm");
    const start = `require("node:child_process").spawn(process.execPath, [process.argv[2]], { stdio: "inherit" });`;
    await writeFile(pnpm, start);
    const foreground = run({}, pnpm);
    await shows(foreground, "Ctrl-C stops everything");
    const pids = await runningPids();
    foreground.child.kill("SIGKILL");
    await shows(foreground, "Stopped. The data stays in");
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test("can be broken off while it starts", async () => {
    const foreground = run({ FIXTURE_MODES: "gateway=never" });
    await shows(foreground, "✔ survey");
    foreground.child.kill("SIGINT");
    expect(await foreground.exit).toBe(130);
    expect(foreground.output()).toContain("Stopped before it was up.");
  });

  test.each([
    ["a wrong port", { CANVASS_PORT: "http" }, 'CANVASS_PORT is "http", but a port is a number'],
    ["a data directory that cannot be", { CANVASS_DATA_DIR: "/dev/null/x" }, "is not a directory; name another"],
    [
      "a service that does not come up",
      { FIXTURE_MODES: "token=crash" },
      /token process did not become ready[^]*FIXTURE/,
    ],
  ])("%s gives one clear answer and exit status 1", async (_, env, expected) => {
    const foreground = run(env);
    expect(await foreground.exit).toBe(1);
    expect(foreground.output()).toMatch(expected);
  });
});
