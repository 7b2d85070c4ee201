// What the watchdog runs when the launcher is gone. Arguments: the roster, then files to remove at the end.
import { endLeftovers } from "../leftovers.ts";

const [roster = "", ...files] = process.argv.slice(2);
await endLeftovers(roster, files);
