import { createLogger, type Logger } from "./logger.ts";
import { ConfigError } from "./read-config.ts";

/** EX_CONFIG of sysexits.h: whoever starts it again will hear the same. */
const MISCONFIGURED = 78;

/**
 * Runs a process to its end: starts it, waits for SIGTERM or SIGINT, then disposes what was started. Exit status 1
 * when it cannot start or a defect surfaces, 78 when its settings are at fault. Called by main.ts only.
 */
export async function runProcess(service: string, start: (log: Logger) => Promise<AsyncDisposable>): Promise<void> {
  const log = createLogger({ service, level: process.env["CANVASS_LOG_LEVEL"] || "info" });
  // Whatever was not caught leaves the process in an unknown state: say it and let the platform start a new one.
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception");
    process.exit(1);
  });
  const asked = askedToStop();
  try {
    const running = await start(log);
    log.info("ready");
    log.info({ reason: await asked }, "stopping");
    await running[Symbol.asyncDispose]();
    process.exit(0);
  } catch (error) {
    // A configuration error is for people, its stack says nothing more.
    if (error instanceof ConfigError) {
      log.fatal(error.message);
      process.exit(MISCONFIGURED);
    }
    log.fatal({ err: error }, error instanceof Error ? error.message : "cannot start");
    process.exit(1);
  }
}

function askedToStop(): Promise<string> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}
