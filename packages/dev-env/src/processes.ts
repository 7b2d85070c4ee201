import type { SystemKeys } from "./keys.ts";
import { TLS_HOST, tlsEnvironment } from "./tls/tls-files.ts";
import type { TlsFiles } from "./tls/tls-files.ts";

/** One of the processes that Canvass consists of. */
export type ProcessDefinition = {
  name: string;
  /** Its program, from the root of the workspace. */
  entry: string;
  /** Where its migrations are, from the root of the workspace; absent: it has no database. */
  migrations?: string;
  /** The settings that this process alone gets. */
  settings?: (system: SystemSettings) => Record<string, string>;
};

/** What the environment of the processes is made of. */
export type SystemSettings = {
  keys: SystemKeys;
  /** Loopback ports by `<process>:rpc`, `<process>:ops`. */
  ports: Readonly<Record<string, number>>;
  /** Where the gateway listens, and how it is reached. */
  host: string;
  port: number;
  publicUrl: string;
  natsUrl: string;
  mailDir: string;
  /** With which the processes speak TLS to each other; undefined: they speak clear text. */
  tlsFiles: TlsFiles | undefined;
};

/** The processes, in the order in which they are listed everywhere. */
export const PROCESSES: readonly ProcessDefinition[] = [
  {
    name: "gateway",
    entry: "gateway/src/main.ts",
    settings: ({ host, port }) => ({ CANVASS_HOST: host, CANVASS_PORT: String(port) }),
  },
  {
    name: "token",
    entry: "services/token/src/main.ts",
    migrations: "services/token/prisma/migrations",
    settings: ({ keys, mailDir }) => ({
      CANVASS_CALLER_PRIVATE_KEY: keys.callerPrivateKey,
      CANVASS_OPERATOR_KEY: keys.operatorKey,
      CANVASS_MAIL_DIR: mailDir,
    }),
  },
  {
    name: "survey",
    entry: "services/survey/src/main.ts",
    migrations: "services/survey/prisma/migrations",
  },
  {
    name: "response",
    entry: "services/response/src/main.ts",
    migrations: "services/response/prisma/migrations",
  },
  {
    name: "distribution",
    entry: "services/distribution/src/main.ts",
    migrations: "services/distribution/prisma/migrations",
  },
  {
    name: "webhook",
    entry: "services/webhook/src/main.ts",
    migrations: "services/webhook/prisma/migrations",
    settings: ({ keys }) => ({ CANVASS_SECRETS_KEY: keys.secretsKey }),
  },
  {
    name: "delivery",
    entry: "services/delivery/src/main.ts",
    migrations: "services/delivery/prisma/migrations",
  },
];

/** The names of the ports that these processes listen on. */
export function portNames(processes: readonly ProcessDefinition[]): string[] {
  return processes.flatMap(({ name }) => [`${name}:rpc`, `${name}:ops`]);
}

/** Where a process' RPCs are served. */
export function rpcUrl(system: SystemSettings, name: string): string {
  const port = system.ports[`${name}:rpc`];
  return system.tlsFiles ? `https://${TLS_HOST}:${port}` : `http://127.0.0.1:${port}`;
}

/** Where a process' /livez, /readyz and /metrics are. */
export function opsUrl(system: SystemSettings, name: string): string {
  return `http://127.0.0.1:${system.ports[`${name}:ops`]}`;
}

/**
 * The settings of one process (ARCHITECTURE.md names who reads which). `databaseUrl` is the address of its own
 * database, if it has one.
 */
export function processSettings(
  definition: ProcessDefinition,
  system: SystemSettings,
  databaseUrl?: string,
): Record<string, string> {
  const { keys, ports } = system;
  const { name } = definition;
  const addresses = PROCESSES.filter((other) => ports[`${other.name}:rpc`] !== undefined && other.name !== "gateway");
  return {
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: String(ports[`${name}:rpc`]),
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: String(ports[`${name}:ops`]),
    CANVASS_PUBLIC_URL: system.publicUrl,
    CANVASS_PEER_KEY: keys.peerKey,
    CANVASS_CALLER_PUBLIC_KEY: keys.callerPublicKey,
    NATS_URL: system.natsUrl,
    ...Object.fromEntries(
      addresses.map((other) => [`CANVASS_${other.name.toUpperCase()}_URL`, rpcUrl(system, other.name)]),
    ),
    ...tlsEnvironment(system.tlsFiles ?? {}),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, CANVASS_CURSOR_KEY: keys.cursorKey }),
    ...definition.settings?.(system),
  };
}
