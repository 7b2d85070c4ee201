import { preparedInProcess } from "@canvass/dev-env/in-process";
import { PROCESSES } from "@canvass/processes";
import { expect, test } from "vitest";
import { runRolling } from "../src/rolling/run-rolling.ts";
import { isForRelease } from "./release-tests.ts";
import { startRollingWorld } from "../src/rolling/rolling-world.ts";

const isLinux = process.platform === "linux";
/** In every run those that answers pass, for a release all. */
const restarted = isForRelease ? PROCESSES.map(({ name }) => name) : ["gateway", "response"];

test.skipIf(!isLinux)(
  `every replica of ${restarted.join(", ")} is restarted under load, and no request fails`,
  { meta: isLinux ? {} : { missing: "a second loopback address (Linux)" }, timeout: 600_000 },
  async () => {
    await using world = await startRollingWorld(preparedInProcess);
    const { rows, failures, broken, completions } = await runRolling(world, {
      durationMs: 0,
      respondents: 1,
      only: restarted,
    });
    expect(failures).toEqual([]);
    expect(broken).toEqual([]);
    expect(completions).toBeGreaterThan(0);
    for (const name of restarted) {
      const { restarts, requests } = rows[name]!;
      expect({ name, restarts }).toEqual({ name, restarts: 2 });
      expect(requests, name).toBeGreaterThan(0);
    }
  },
);
