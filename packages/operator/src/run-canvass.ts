import { callers } from "@canvass/cli";
import { runCommandLine, type Audience, type Output, type ProgramText } from "@canvass/command-line";
import type { Environment } from "@canvass/provisioning";
import { operators } from "./operators.ts";

export const TEXT: ProgramText = {
  name: "canvass",
  description:
    "For callers of the API: surveys, links, answers, webhooks. For operators: workspaces, people, tokens, results",
  epilogue: `Callers' commands use the installation of \`canvass login\`, or CANVASS_URL and CANVASS_TOKEN.
Operators' commands find the running system by local.json in CANVASS_DATA_DIR (.canvass).
Exit codes: 0 done, 1 refused, 2 wrong command line, 3 service not reached,
130 or 143 ended by Ctrl-C or SIGTERM, 141 the reader of its output left.`,
};
export const AUDIENCES = [callers, operators] as unknown as readonly Audience[];

/** Returns the exit code. Prints all errors on one line. */
export const runCanvass = (args: readonly string[], env: Environment, output: Output): Promise<number> =>
  runCommandLine(TEXT, AUDIENCES, args, env, output);
