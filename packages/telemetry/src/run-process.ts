import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { Settings } from "./define-settings.ts";
import { createLogger, logLevelOf, type Logger } from "./logger.ts";
import { ConfigError } from "./config-error.ts";
import { startTracing } from "./tracing/start-tracing.ts";
import type { TracingConfig } from "./tracing/tracing-environment.ts";

/** Limit for parts that wait for a hanging database, bus or callee. Leases and the outbox cover unfinished work. */
const longestStopMs = 20_000;

/**
 * For main.ts. Runs until SIGTERM or SIGINT, or only checks the settings with `--check-config`. Exit status: 0, also if
 * the stop takes too long, 1 after a failure, 78 for wrong settings.
 */
export async function runProcess<Config extends TracingConfig & { CANVASS_DRAIN_DELAY_MS?: number }>(
  service: string,
  settings: Pick<Settings<Config>, "read">,
  start: (config: Config, overrides: { log: Logger }) => Promise<AsyncDisposable>,
  stopMs = longestStopMs,
): Promise<void> {
  if (process.argv.includes("--check-config")) {
    process.exitCode = checkConfig(settings, process.env, (line) => void process.stdout.write(`${line}\n`));
    return;
  }
  // Created before the settings are read, so that their faults are logged.
  const level = logLevelOf(process.env["CANVASS_LOG_LEVEL"]) ?? "info";
  const log = createLogger({ service, level });
  // An uncaught error leaves an unknown state: log it and let the platform restart the process.
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });
  const asked = askedToStop();
  try {
    const config = settings.read(process.env);
    const tracing = await startTracing(config, { service, log });
    const running = await start(config, { log });
    keepCompiledFunctions();
    log.info("ready");
    log.info({ reason: await asked }, "stopping");
    const limitMs = (config.CANVASS_DRAIN_DELAY_MS ?? 0) + stopMs;
    setTimeout(() => {
      log.warn({ limitMs }, "something under way did not end in time; leaving it");
      process.exit(0);
    }, limitMs);
    await running[Symbol.asyncDispose]();
    await tracing?.[Symbol.asyncDispose]();
    process.exit(0);
  } catch (error) {
    // The stack of a configuration error is useless.
    if (error instanceof ConfigError) {
      log.fatal(error.message);
      process.exit(MISCONFIGURED);
    }
    log.fatal({ err: error }, error instanceof Error ? error.message : "cannot start");
    process.exit(1);
  }
}

/**
 * Makes requests after a rest as fast as before it. V8 takes the flag at run time: with it on the command line, Node would
 * reject its own compiled modules. A later flag makes it reject those of NODE_COMPILE_CACHE, so they are written first.
 */
function keepCompiledFunctions(): void {
  flushCompileCache();
  setFlagsFromString("--no-flush-bytecode");
}

function askedToStop(): Promise<string> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}

/** EX_CONFIG of sysexits.h: a restart would fail again. */
const MISCONFIGURED = 78;

/** Prints each fault of the settings on its own line, or that they are complete. Returns the process's exit status. */
function checkConfig(
  { read }: Pick<Settings<unknown>, "read">,
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
): number {
  try {
    read(environment);
    print("The settings are complete.");
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const violation of error.violations) print(violation);
    return MISCONFIGURED;
  }
}
