import { createRequire } from "node:module";
import { pino, type DestinationStream, type Logger } from "pino";
import { logOutput } from "./log-output.ts";
import { oncePerCause } from "./once-per-cause.ts";

export type { Logger } from "pino";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export function logLevelOf(text: string | undefined): LogLevel | undefined {
  return logLevels.find((level) => level === text);
}

export interface LoggerOptions {
  service: string;
  level?: LogLevel;
  pretty?: boolean;
  destination?: DestinationStream;
}

// Fields that could hold a secret. Their values are removed.
const secretNames = [
  "authorization",
  "token",
  "tokenValue",
  "secret",
  "secrets",
  "password",
  "databaseUrl",
  "signedCaller",
];

/** Writes JSON lines to standard output, coloured text to a terminal. Counts repeated failures (once-per-cause.ts). */
export function createLogger({
  service,
  level = "info",
  pretty = process.stdout.isTTY,
  destination,
}: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    hooks: { logMethod: oncePerCause() },
    redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: "[secret]" },
  };
  if (destination) return pino(options, destination);
  if (pretty) return pino(options, prettyStream());
  const tellDropped = (lines: number) =>
    log.warn({ lines }, "lines of the log were dropped: nobody read them, or the disk is full");
  const log = pino(options, logOutput(tellDropped));
  return log;
}

function prettyStream(): DestinationStream {
  const { PinoPretty } = createRequire(import.meta.url)("pino-pretty") as typeof import("pino-pretty");
  return PinoPretty({ ignore: "pid,hostname", sync: true });
}

/** Drops other properties: a database's `detail` quotes the refused row. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: "something that is no error was thrown" };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    stack,
    ...(typeof code === "string" && { code }),
    ...(cause !== undefined && depth < 3 && { cause: describeError(cause, depth + 1) }),
  };
}
