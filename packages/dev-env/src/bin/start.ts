import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { requireNode } from "@canvass/provisioning/require-node";

try {
  requireNode();
  const { usageFor } = await import("../usage.ts");
  const usage = usageFor(process.argv.slice(2));
  if (usage === undefined) {
    const { restartLean } = await import("../node-settings.ts");
    restartLean();
    const { runInForeground } = await import("../run-in-foreground.ts");
    process.exitCode = await runInForeground(process.env);
  } else process.stdout.write(`${usage}\n`);
} catch (error) {
  const details = error instanceof OperationalError ? error.message : ((error as Error).stack ?? reasonOf(error));
  process.stderr.write(`${details}\n`);
  process.exitCode = 1;
}
process.exit();
