import tab from "@bomb.sh/tab/commander";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { CommanderError } from "commander";
import { createCanvassProgram, oneLine, type Output } from "./canvass-program.ts";
import { EXIT, UnreachableError, UsageError } from "./errors.ts";
import { showProperties } from "./show-properties.ts";
import { SERVICES, type ServiceName } from "./token-service/find-service.ts";
import { openSession } from "./token-service/open-session.ts";

const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** Returns the exit code. Prints all errors on one line. */
export async function runCanvass(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  output: Output,
): Promise<number> {
  let code: number = EXIT.done;
  const program = createCanvassProgram(async (command, { json, tokenService, ...values }) => {
    const named = values as Record<string, string | undefined>;
    const elsewhere = SERVICE_NAMES.map((service) => [service, named[`${service}Service`]]);
    const given = { ...Object.fromEntries(elsewhere), token: tokenService } as Record<string, string | undefined>;
    await using session = openSession(given, env, progressOn(output));
    const result = await session.explaining(() => command.run(values as never, session));
    output.out(`${json ? JSON.stringify(result) : visible((command.show ?? showProperties)(result))}\n`);
    if (command.isRefused?.(result)) code = EXIT.refused;
  }, output);
  tab(program, { completionCommandName: "completion" });
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : [...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const shown = error instanceof CommanderError ? (program.usageError() ?? usageErrorOf(error)) : error;
    if (shown !== undefined)
      output.err(`${visible(shown instanceof OperationalError ? shown.message : stackOf(shown))}\n`);
    return error instanceof CommanderError ? EXIT.usage : exitCodeOf(error);
  }
}

/** Replaces control characters, so that text stored by others cannot control the terminal. */
const visible = (text: string): string => text.replaceAll(/(?!\n)\p{Cc}/gu, "\uFFFD");

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
