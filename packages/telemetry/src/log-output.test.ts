import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";

const logger = new URL("logger.ts", import.meta.url).href;

test.skipIf(process.platform !== "linux")(
  "on a full disk a process goes on without its log, and ends when it should",
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
  60_000,
);
