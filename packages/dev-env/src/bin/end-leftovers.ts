// What the watchdog runs when the launcher is gone. Arguments: the roster, files to remove at the end, and last what the
// watchdog was told runs: JSON, or nothing.
import type { Stoppable } from "../end-processes.ts";
import { endLeftovers } from "../leftovers.ts";

const [roster = "", ...rest] = process.argv.slice(2);
const known = JSON.parse(rest.pop() || "[]") as Stoppable[];
await endLeftovers(roster, rest, known);
