// `pnpm canvass`: what operators do from the command line (contract 9.4).
import { OperationalError, reasonOf } from "@canvass/provisioning";
import { runOperatorCommand } from "../run-command.ts";
import { requireNode } from "@canvass/provisioning/require-node";

try {
  requireNode();
  process.stdout.write(`${await runOperatorCommand(process.argv.slice(2), process.env)}\n`);
} catch (error) {
  const text = error instanceof OperationalError ? error.message : ((error as Error).stack ?? reasonOf(error));
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
