import { runRolling } from "./run-rolling.ts";
import { startRollingWorld } from "./rolling-world.ts";

// Runs rolling restarts by hand, on Linux: CANVASS_ROLLING_MINUTES (default 10), CANVASS_DATA_DIR to keep the logs.
// Arguments: names of processes (default: all).
const minutes = Number(process.env["CANVASS_ROLLING_MINUTES"] ?? 10);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const only = process.argv.length > 2 ? process.argv.slice(2) : undefined;
const dataDir = process.env["CANVASS_DATA_DIR"];
await using world = await startRollingWorld(dataDir ? { dataDir } : {});
const { rows, failures, broken, ...figures } = await runRolling(world, { durationMs: minutes * 60_000, only, say });
for (const [name, row] of Object.entries(rows)) say(`${name}: ${JSON.stringify(row)}`);
say(JSON.stringify({ minutes, ...figures }, undefined, 2));
for (const line of failures) say(`FAILED: ${line}`);
for (const line of broken) say(`BROKEN: ${line}`);
process.exitCode = failures.length + broken.length === 0 ? 0 : 1;
