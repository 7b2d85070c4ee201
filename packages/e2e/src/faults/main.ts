import { startFaultWorld } from "./fault-world.ts";
import { runFaults } from "./run-faults.ts";

// Runs a random schedule of faults by hand: CANVASS_FAULT_SEED (default: random), CANVASS_FAULT_MINUTES (default: 10).
const seed = Number(process.env["CANVASS_FAULT_SEED"] ?? Math.floor(Math.random() * 1e9));
const minutes = Number(process.env["CANVASS_FAULT_MINUTES"] ?? 10);
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`seed ${seed}, ${minutes} minutes`);
await using world = await startFaultWorld(seed);
const { broken, ...figures } = await runFaults(world, { seed, durationMs: minutes * 60_000, say });
say(JSON.stringify({ seed, minutes, ...figures }, undefined, 2));
for (const line of broken) say(`BROKEN: ${line}`);
process.exitCode = broken.length === 0 ? 0 : 1;
