import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";

import { processInfo } from "../../src/processes/process-info.ts";

afterEach(() => void vi.unstubAllGlobals());

const hasPs = spawnSync("ps", ["-p", "1"]).status === 0;
const platforms = ["linux", "darwin"].filter((name) => (name === "linux" ? process.platform === "linux" : hasPs));

describe.each(platforms)("as %s has it", (platform) => {
  test("a process has a parent and a command line while it runs", async () => {
    vi.stubGlobal("process", Object.create(process, { platform: { value: platform } }));
    const child = spawn("/bin/sh", ["-c", "echo up; read -r line", "with (parentheses)"], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    await once(child.stdout, "data");
    expect(processInfo(child.pid!)).toEqual({
      parent: process.pid,
      command: expect.stringMatching(/^\/bin\/sh .*with \(parentheses\)/),
      started: expect.stringMatching(/\d/),
    });
    child.kill("SIGKILL");
    // Not reaped until the event loop turns: a zombie, or still ending.
    await once(child, "exit");
    expect(processInfo(child.pid!)).toBeUndefined();
    expect(processInfo(2 ** 22 + 1)).toBeUndefined();
  });
});
