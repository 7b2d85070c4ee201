import { OperationalError } from "@canvass/provisioning/operational-error";
import { LOG_LEVELS } from "./log-line.ts";
import type { LogLevel } from "./log-line.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type LaunchConfig = {
  dataDir: string;
  port: number;
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  /** The lowest level that the terminal shows. The log files contain all levels. */
  shownLevel: LogLevel;
  env: Record<string, string>;
};

/** Throws OperationalError that names an invalid setting. */
export function readLaunchConfig(env: Environment): LaunchConfig {
  return {
    dataDir: env["CANVASS_DATA_DIR"] || ".canvass",
    port: readPort(env["CANVASS_PORT"] || "8080"),
    databaseUrl: env["DATABASE_URL"] || undefined,
    natsUrl: env["NATS_URL"] || undefined,
    shownLevel: readLevel(env["CANVASS_LOG_LEVEL"] || "warn"),
    env: settingsForProcesses(env),
  };
}

// The launcher reads these itself or sets them per process.
const NOT_HANDED_ON = new Set(["CANVASS_PORT", "CANVASS_DATA_DIR"]);

function settingsForProcesses(env: Environment): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value && /^(CANVASS|OTEL)_/.test(name) && !NOT_HANDED_ON.has(name)) settings[name] = value;
  }
  return settings;
}

// Node.js needs these variables. From the terminal's environment processes get these, CANVASS_… and OTEL_….
const MACHINE = [
  "PATH",
  "HOME",
  "USER",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
];

export function machineEnvironment(env: Environment = process.env): Record<string, string> {
  return Object.fromEntries(MACHINE.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new OperationalError(`CANVASS_PORT is "${text}", but a port is a number from 0 (any free port) to 65535.`);
}

function readLevel(text: string): LogLevel {
  if (Object.hasOwn(LOG_LEVELS, text)) return text as LogLevel;
  throw new OperationalError(`CANVASS_LOG_LEVEL is "${text}", but it is one of ${Object.keys(LOG_LEVELS).join(", ")}.`);
}
