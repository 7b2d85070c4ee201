import tab from "@bomb.sh/tab/commander";
import type { Environment } from "@canvass/provisioning";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { CommanderError } from "commander";
import type { Audience } from "./command.ts";
import {
  createCommandProgram,
  oneLine,
  type CommandProgram,
  type Output,
  type ProgramText,
} from "./command-program.ts";
import { EXIT, UnreachableError, UsageError } from "./errors.ts";
import { showProperties } from "./show-properties.ts";
import { jsonLine, visible } from "./visible.ts";

/** Runs one command, and returns the exit code. Prints an error as one line, a defect with its stack. */
export async function runCommandLine(
  text: ProgramText,
  audiences: readonly Audience[],
  args: readonly string[],
  env: Environment,
  output: Output,
): Promise<number> {
  let code: number = EXIT.done;
  const print = (line: string) => output.out(`${visible(line)}\n`);
  const note = (line: string) => output.err(`${visible(line)}\n`);
  const program = createCommandProgram(
    text,
    audiences,
    async ({ show = showProperties, isRefused }, run, { json = false }) => {
      const result = await run({ env, json: Boolean(json), print, note, progress: progressOn(output) });
      const shown = json ? jsonLine(result) : show(result);
      if (shown !== "") print(shown);
      if (isRefused?.(result)) code = EXIT.refused;
    },
    output,
  );
  addCompletion(program);
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : [...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const shown = error instanceof CommanderError ? (program.usageError() ?? usageErrorOf(error)) : error;
    if (shown !== undefined) note(shown instanceof OperationalError ? shown.message : stackOf(shown));
    return error instanceof CommanderError ? EXIT.usage : exitCodeOf(error);
  }
}

function addCompletion(program: CommandProgram): void {
  const completionCommandName = "completion";
  tab(program, { completionCommandName });
  const added = program.commands.find((command) => command.name() === completionCommandName) as CommandProgram;
  // Its action takes the arguments unseen, and violations are only collected until then.
  added.hook("preAction", () => {
    const error = added.usageError();
    if (error) throw error;
  });
}

function progressOn({ err, isTerminal = false }: Output): (line: string | undefined) => void {
  return (line) => void (isTerminal && err(`\r\u001b[K${line ?? ""}`));
}

function usageErrorOf({ code, message }: CommanderError): UsageError | undefined {
  return code === "commander.help" ? undefined : new UsageError(`${oneLine(message)}; see canvass --help.`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof UnreachableError ? EXIT.unreachable : EXIT.refused;
}

function stackOf(error: unknown): string {
  return (error as Error).stack ?? reasonOf(error);
}
