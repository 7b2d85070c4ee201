// `pnpm start`: Canvass on one machine, in the foreground (README.md).
import { reasonOf } from "../launch-error.ts";
import { LaunchError } from "../launch-error.ts";
import { requireNode } from "../prepare.ts";

try {
  requireNode();
  const { runInForeground } = await import("../run-in-foreground.ts");
  process.exitCode = await runInForeground(process.env);
} catch (error) {
  const details = error instanceof LaunchError ? error.message : ((error as Error).stack ?? reasonOf(error));
  process.stderr.write(`${details}\n`);
  process.exitCode = 1;
}
process.exit();
