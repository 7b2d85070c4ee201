import { parseArgs } from "node:util";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";

const USAGE = `Starts Canvass on this machine and runs it until Ctrl-C.

  npx -y pnpm@12 start

It takes no arguments. Settings are environment variables, among them:

  CANVASS_PORT       where the API listens (8080; 0: any free port)
  CANVASS_DATA_DIR   holds everything; a second system needs another one (.canvass)
  DATABASE_URL       uses this PostgreSQL server instead of starting one
  NATS_URL           uses this NATS server instead of starting one
  CANVASS_LOG_LEVEL  the least serious lines of the processes that are shown (warn)

All of them: packages/dev-env/README.md. Surveys, tokens and more: pnpm canvass --help.`;

/** Returns the usage if the arguments ask for it, else undefined. Throws OperationalError for any other argument. */
export function usageFor(args: readonly string[]): string | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
    return values.help ? USAGE : undefined;
  } catch (error) {
    throw new OperationalError(`${reasonOf(error)}. pnpm start takes none; see pnpm start --help.`);
  }
}
