// Generates the code that the processes are made of: the first part of every command of package.json.
import { LaunchError } from "../launch-error.ts";
import { generateCode, requireNode } from "../prepare.ts";
import { step } from "../progress.ts";
import { createTerminal } from "../terminal.ts";

using terminal = createTerminal(process.stdout);
try {
  requireNode();
  await step(terminal.onProgress, "Generated code", () => generateCode(process.env));
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
