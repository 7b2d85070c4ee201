import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";

import { startOf } from "./process-start.ts";

afterEach(() => void vi.unstubAllGlobals());

const hasPs = spawnSync("ps", ["-p", "1"]).status === 0;
const platforms = ["linux", "darwin"].filter((name) => (name === "linux" ? process.platform === "linux" : hasPs));

describe.each(platforms)("as %s has it", (platform) => {
  test("the start of a process stays the same while it runs, whatever program it becomes, and is gone with it", async () => {
    vi.stubGlobal("process", Object.create(process, { platform: { value: platform } }));
    const child = spawn("/bin/sh", ["-c", "echo up; read -r line; exec cat"], { stdio: ["pipe", "pipe", "ignore"] });
    await once(child.stdout, "data");
    const start = startOf(child.pid!);
    expect(start).toMatch(platform === "linux" ? /^[0-9a-f-]{36} \d+$/ : /\d\d:\d\d:\d\d \d{4}$/);
    child.stdin.write("\nstill here\n");
    await once(child.stdout, "data");
    expect(startOf(child.pid!)).toBe(start);
    expect(startOf(process.pid)).not.toBe(undefined);
    child.kill("SIGKILL");
    // Until the event loop turns nobody has looked after it: it is a zombie, or still ending.
    await once(child, "exit");
    expect(startOf(child.pid!)).toBeUndefined();
  });
});

test("what has no process has no start", () => {
  expect(startOf(2 ** 22 + 1)).toBeUndefined();
});
