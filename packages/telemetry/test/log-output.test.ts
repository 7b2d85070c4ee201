import { execFileSync, spawn, spawnSync, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

const logger = new URL("../src/logger.ts", import.meta.url).href;

test(
  "on a full disk a process goes on without its log, and ends when it should",
  { skip: process.platform !== "linux", meta: { skipReason: "only Linux has /dev/full" } },
  () => {
    const program = `
    import { createLogger } from "${logger}";
    const log = createLogger({ service: "test" });
    for (let line = 0; line < 100; line += 1) {
      log.warn({ line }, "not written");
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.exit(7);`;
    const full = openSync("/dev/full", "w");
    try {
      const { status, signal } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], {
        stdio: ["ignore", full, full],
        timeout: 50_000,
        killSignal: "SIGKILL",
      });
      expect({ status, signal }).toEqual({ status: 7, signal: null });
    } finally {
      closeSync(full);
    }
  },
);

/** Logs 50 MB, and does what follows. */
const talkative = (afterwards: string) => `
  import { createLogger } from "${logger}";
  const log = createLogger({ service: "test" });
  const text = "x".repeat(1000);
  for (let line = 0; line < 50_000; line += 1) {
    log.info({ line }, text);
    if (line % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  ${afterwards}`;

const start = (program: string, stdio: StdioOptions) =>
  spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    stdio,
    timeout: 50_000,
    killSignal: "SIGKILL",
  });

test.each(["pipe", "socket"])(
  "with a log %s that nobody reads a process neither hangs nor crashes, and ends when it should",
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), "canvass-log-"));
    execFileSync("mkfifo", [join(folder, "log")]);
    // Opened for reading, too, so that it has a reader.
    const pipe = openSync(join(folder, "log"), "r+");
    try {
      const child = start(talkative("process.exit(7);"), ["ignore", kind === "pipe" ? pipe : "pipe", "inherit"]);
      expect(await once(child, "exit")).toEqual([7, null]);
    } finally {
      closeSync(pipe);
      rmSync(folder, { recursive: true });
    }
  },
);

test("a late reader gets whole lines, and the number of dropped ones", async () => {
  const program = talkative("process.stderr.write('done'); process.stdin.resume();");
  const child = start(program, ["pipe", "pipe", "pipe"]);
  await once(child.stderr!, "data");
  let read = 0;
  let dropped = 0;
  for await (const text of createInterface({ input: child.stdout! })) {
    const { lines } = JSON.parse(text) as { lines?: number };
    if (lines === undefined) read += 1;
    else {
      dropped = lines;
      child.stdin!.end();
    }
  }
  expect(read).toBeGreaterThan(1000);
  expect(read + dropped).toBe(50_000);
});
