import { createRequire } from "node:module";
import { pino, type DestinationStream, type Logger } from "pino";
import { oncePerCause } from "./once-per-cause.ts";

export type { Logger } from "pino";

export interface LoggerOptions {
  /** Name of the process, in every line as `service`. */
  service: string;
  /** pino level; `silent` mutes. */
  level?: string;
  /** For people instead of machines. Default: whether standard output is a terminal. */
  pretty?: boolean;
  /** Default: standard output. */
  destination?: DestinationStream;
}

// Names under which something secret could be logged by mistake; their values never reach a line.
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

/**
 * Structured JSON lines on standard output with level, ISO time and `service`; coloured text in a terminal. What goes
 * wrong again and again for one cause is told once, and then counted (once-per-cause.ts).
 */
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
  return pretty ? pino(options, prettyStream()) : pino(options);
}

/** Loaded only for people: no server needs it. */
function prettyStream(): DestinationStream {
  const { PinoPretty } = createRequire(import.meta.url)("pino-pretty") as typeof import("pino-pretty");
  return PinoPretty({ ignore: "pid,hostname", sync: true });
}

/**
 * An error without its further properties: a database's `detail` quotes the row it refused, and so may others.
 */
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
