import { parseArgs } from "node:util";

import type { Environment } from "@canvass/provisioning";
import { OperationalError, reasonOf } from "@canvass/provisioning";
import { auditLine, type ShownEntry } from "./audit-entry.ts";
import { COMMANDS, type Command, type Result, type Values } from "./commands.ts";
import { connectOperator } from "./connect-operator.ts";
import { findTokenService } from "./find-token-service.ts";
import { refusalLine } from "./refusal-line.ts";
import { usage, usageOf } from "./usage.ts";

const EVERYWHERE = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  "token-service": { type: "string" },
} as const;

/**
 * Runs one operator command (contract 9.4) and returns what to print. Throws OperationalError, whose message is one line,
 * for a wrong command line, when no system runs, or when the service refuses.
 */
export async function runOperatorCommand(args: string[], env: Environment): Promise<string> {
  const words = args.slice(0, 2).join(" ");
  const command = Object.hasOwn(COMMANDS, words) ? COMMANDS[words] : undefined;
  if (command === undefined) {
    if (args.length === 0 || args.includes("--help") || args.includes("-h")) return usage();
    throw new OperationalError(`There is no command "${wordsOf(args)}"; pnpm canvass --help lists them all.`);
  }
  const values = parse(words, command, args.slice(2));
  if (values["help"]) return usageOf(words, command);
  requireOptions(words, command, values);
  const given = values["token-service"];
  const access = await findTokenService(typeof given === "string" ? given : undefined, env);
  await using operator = await connectOperator(access);
  const result = await command.run(operator, values).catch((error: unknown) => {
    const line = refusalLine(error, access.tokenUrl);
    throw line === undefined ? error : new OperationalError(line, { cause: error });
  });
  return values["json"] ? JSON.stringify(result) : asText(result);
}

function wordsOf(args: string[]): string {
  return args.filter((word) => !word.startsWith("-")).join(" ") || args.join(" ");
}

function parse(words: string, command: Command, args: string[]): Values {
  const own = Object.entries(command.options).map(
    ([option, { placeholder }]) => [option, { type: placeholder ? "string" : "boolean" }] as const,
  );
  try {
    return parseArgs({ args, options: { ...Object.fromEntries(own), ...EVERYWHERE } }).values;
  } catch (error) {
    // The parser goes on about positional arguments after its first sentence.
    const [what] = reasonOf(error).split(/[.\n]( |$)/);
    throw new OperationalError(`${what}; see pnpm canvass ${words} --help.`, { cause: error });
  }
}

function requireOptions(words: string, { options }: Command, values: Values): void {
  const missing = Object.keys(options).filter((option) => options[option]?.required && values[option] === undefined);
  if (missing.length === 0) return;
  const named = missing.map((option) => `--${option}`).join(", ");
  throw new OperationalError(
    `${named} ${missing.length === 1 ? "is" : "are"} missing; see pnpm canvass ${words} --help.`,
  );
}

function asText({ entries, ...rest }: Result): string {
  const lines = Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.padEnd(12)} ${Array.isArray(value) ? value.join(", ") : String(value)}`);
  return [...((entries ?? []) as ShownEntry[]).map(auditLine), ...lines].join("\n");
}
