import { addressVariable, PROCESSES, serviceNames, variablesOf } from "@canvass/processes";
import type { ProcessDefinition } from "@canvass/processes";
import { TLS_HOST, tlsEnvironment } from "@canvass/provisioning";
import type { SystemKeys, TlsFiles } from "@canvass/provisioning";

export type SystemSettings = {
  keys: SystemKeys;
  ports: Readonly<Record<string, number>>;
  host: string;
  port: number;
  publicUrl: string;
  natsUrl: string;
  mailDir: string;
  filesDir: string;
  tlsFiles: TlsFiles | undefined;
};

export type LaunchedProcess = ProcessDefinition & { env?: Record<string, string> };

export function portNames(processes: readonly ProcessDefinition[]): string[] {
  return processes.flatMap(({ name }) => [`${name}:rpc`, `${name}:ops`]);
}

export function rpcUrl(system: SystemSettings, name: string): string {
  const port = system.ports[`${name}:rpc`];
  return system.tlsFiles ? `https://${TLS_HOST}:${port}` : `http://127.0.0.1:${port}`;
}

export function opsUrl(system: SystemSettings, name: string): string {
  return `http://127.0.0.1:${system.ports[`${name}:ops`]}`;
}

export function processSettings(
  definition: ProcessDefinition,
  system: SystemSettings,
  databaseUrl?: string,
): Record<string, string> {
  const { keys, ports } = system;
  const { name } = definition;
  const values: Record<string, string | undefined> = {
    CANVASS_HOST: system.host,
    CANVASS_PORT: String(system.port),
    CANVASS_PUBLIC_URL: system.publicUrl,
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: String(ports[`${name}:rpc`]),
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: String(ports[`${name}:ops`]),
    CANVASS_PEER_KEY: keys.peerKey,
    CANVASS_CALLER_PUBLIC_KEY: keys.callerPublicKey,
    CANVASS_CALLER_PRIVATE_KEY: keys.callerPrivateKey,
    CANVASS_OPERATOR_KEY: keys.operatorKey,
    CANVASS_CURSOR_KEY: keys.cursorKey,
    CANVASS_SECRETS_KEY: keys.secretsKey,
    CANVASS_MAIL_DIR: system.mailDir,
    CANVASS_FILES_DIR: system.filesDir,
    DATABASE_URL: databaseUrl,
    NATS_URL: system.natsUrl,
    ...Object.fromEntries(serviceNames.map((service) => [addressVariable(service), rpcUrl(system, service)])),
    ...tlsEnvironment(system.tlsFiles ?? {}),
  };
  const { secrets, addresses, settings } = variablesOf(definition);
  return Object.fromEntries(
    [...secrets, ...addresses, ...settings].flatMap((variable) => {
      const value = values[variable];
      return value === undefined ? [] : [[variable, value]];
    }),
  );
}

const secretsOfAll = new Set(PROCESSES.flatMap((definition) => variablesOf(definition).secrets));

/** Omits secrets that this process does not read. */
export function settingsFor(
  definition: ProcessDefinition,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const own = new Set(variablesOf(definition).secrets);
  return Object.fromEntries(Object.entries(env).filter(([name]) => own.has(name) || !secretsOfAll.has(name)));
}
