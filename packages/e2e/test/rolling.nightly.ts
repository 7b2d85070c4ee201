import { preparedInProcess } from "@canvass/dev-env/in-process";
import { expect, test } from "vitest";
import { runRolling } from "../src/rolling/run-rolling.ts";
import { startRollingWorld } from "../src/rolling/rolling-world.ts";

const isLinux = process.platform === "linux";

test(
  "every replica of every process is restarted under load, and no request fails",
  { skip: !isLinux, meta: { skipReason: "only Linux has a second loopback address" }, timeout: 600_000 },
  async () => {
    await using world = await startRollingWorld(preparedInProcess);
    const { rows, failures, broken, completions } = await runRolling(world, { durationMs: 0, respondents: 1 });
    expect(failures).toEqual([]);
    expect(broken).toEqual([]);
    expect(completions).toBeGreaterThan(0);
    for (const [name, { restarts, requests }] of Object.entries(rows)) {
      expect({ name, restarts }).toEqual({ name, restarts: 2 });
      expect(requests, name).toBeGreaterThan(0);
    }
  },
);
