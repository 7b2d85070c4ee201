// Generates code before every command of package.json, unless turbo has already done so.
import { OperationalError } from "@canvass/provisioning/operational-error";
import { requireNode } from "@canvass/provisioning/require-node";
import { generateCode } from "../prepare.ts";
import { step } from "../progress.ts";
import { createTerminal } from "../terminal.ts";

using terminal = createTerminal(process.stdout);
try {
  requireNode();
  if (!process.env["TURBO_HASH"]) await step(terminal.onProgress, "Generated code", () => generateCode(process.env));
} catch (error) {
  if (!(error instanceof OperationalError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
