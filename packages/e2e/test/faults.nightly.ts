import { preparedInProcess } from "@canvass/dev-env/in-process";
import { programEnvironment } from "@canvass/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { startFaultWorld } from "../src/faults/fault-world.ts";
import { runFaults } from "../src/faults/run-faults.ts";

const { seed: drawn = 20260301 } = fc.readConfigureGlobal();
const seed = Number(process.env["CANVASS_FAULT_SEED"] ?? drawn);
const minutes = Number(process.env["CANVASS_FAULT_MINUTES"] ?? 2);

test(
  "whatever breaks while people answer, each completion counts once, arrives and stands in the feed once",
  async () => {
    await using world = await startFaultWorld(seed, { ...preparedInProcess, env: programEnvironment() });
    const said: string[] = [`seed ${seed}, ${minutes} minutes`];
    const say = (line: string) => void said.push(line);
    const { broken, ...figures } = await runFaults(world, { seed, durationMs: minutes * 60_000, say }).catch(
      (cause) => {
        throw new Error(said.join("\n"), { cause });
      },
    );
    expect(broken, `${said.join("\n")}\n${JSON.stringify(figures)}`).toEqual([]);
    expect(figures.completions).toBeGreaterThan(0);
  },
  (minutes + 14) * 60_000,
);
