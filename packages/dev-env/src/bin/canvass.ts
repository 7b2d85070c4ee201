// `pnpm canvass`: what operators do from the command line (contract 9.4).
import { LaunchError, reasonOf } from "../launch-error.ts";
import { runOperatorCommand } from "../operator-command.ts";
import { requireNode } from "../prepare.ts";

try {
  requireNode();
  process.stdout.write(`${await runOperatorCommand(process.argv.slice(2), process.env)}\n`);
} catch (error) {
  const text = error instanceof LaunchError ? error.message : ((error as Error).stack ?? reasonOf(error));
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
