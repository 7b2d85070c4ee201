import type { SystemKeys } from "@canvass/provisioning";

/** Servers as `host:port`. `natsUrl`: the complete URL, if all processes have the same one. */
export type Servers = { postgres: string; nats: string; natsUrl?: string };

/** The user that creates databases and roles, as PostgreSQL's images name it. */
export const ADMINISTRATOR = "postgres";
export const BUS_USER = "canvass";

export const KEY_VARIABLES = [
  ["CANVASS_PEER_KEY", "peerKey"],
  ["CANVASS_CALLER_PRIVATE_KEY", "callerPrivateKey"],
  ["CANVASS_CALLER_PUBLIC_KEY", "callerPublicKey"],
  ["CANVASS_OPERATOR_KEY", "operatorKey"],
  ["CANVASS_CURSOR_KEY", "cursorKey"],
  ["CANVASS_SECRETS_KEY", "secretsKey"],
] as const;

/** Owner of the database that counts the calls of all gateways, for rate limits. */
export const RATE_LIMIT_DATABASE = "gateway";

export function passwordNames(services: readonly string[]): string[] {
  return [ADMINISTRATOR, "nats", ...databasePasswordNames(services)];
}

export function databasePasswordNames(services: readonly string[]): string[] {
  return [...services.flatMap((service) => [service, migratorOf(service)]), RATE_LIMIT_DATABASE];
}

export const migratorOf = (service: string): string => `${service}_migrator`;
export const databaseOf = (service: string): string => `canvass_${service}`;
/** `name`: one of `databasePasswordNames`. */
export const loginOf = (name: string): string => `canvass_${name}`;
/** The variable that passes a password to `canvass installation databases`. */
export const passwordVariable = (name: string): string => `CANVASS_${name.toUpperCase()}_DATABASE_PASSWORD`;

/** Returns generated values by variable. `service`: the owner of the process's database. */
export function processSecrets(keys: SystemKeys, servers: Servers, service: string): Record<string, string> {
  return {
    ...Object.fromEntries(KEY_VARIABLES.map(([variable, key]) => [variable, keys[key]])),
    DATABASE_URL: databaseUrl(servers, loginOf(service), passwordOf(keys, service), databaseOf(service)),
    CANVASS_RATE_LIMIT_DATABASE_URL: databaseUrl(
      servers,
      loginOf(RATE_LIMIT_DATABASE),
      passwordOf(keys, RATE_LIMIT_DATABASE),
      databaseOf(RATE_LIMIT_DATABASE),
    ),
    NATS_URL: servers.natsUrl ?? `nats://${BUS_USER}:${encodeURIComponent(passwordOf(keys, "nats"))}@${servers.nats}`,
  };
}

/** Returns the URL by which a service's migrations act as the owner of its database. */
export function migrationSecrets(keys: SystemKeys, servers: Servers, service: string): Record<string, string> {
  const login = loginOf(migratorOf(service));
  const url = new URL(databaseUrl(servers, login, passwordOf(keys, migratorOf(service)), databaseOf(service)));
  url.searchParams.set("options", `-c TimeZone=UTC -c role=${databaseOf(service)}_owner`);
  return { DATABASE_URL: url.href };
}

export function operatorSecrets(
  keys: SystemKeys,
  servers: Servers,
  services: readonly string[],
): Record<string, string> {
  const names = databasePasswordNames(services);
  return {
    CANVASS_OPERATOR_KEY: keys.operatorKey,
    DATABASE_URL: databaseUrl(servers, ADMINISTRATOR, passwordOf(keys, ADMINISTRATOR), "postgres"),
    ...Object.fromEntries(names.map((name) => [passwordVariable(name), passwordOf(keys, name)])),
  };
}

export const administratorPassword = (keys: SystemKeys): string => passwordOf(keys, ADMINISTRATOR);

export function natsConfig(keys: SystemKeys): string {
  return `authorization { user: "${BUS_USER}", password: ${JSON.stringify(passwordOf(keys, "nats"))} }\n`;
}

function databaseUrl({ postgres }: Servers, user: string, password: string, database: string): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@${postgres}/${database}`;
}

function passwordOf({ databasePasswords }: SystemKeys, name: string): string {
  const password = databasePasswords[name];
  if (password === undefined) throw new Error(`there is no password of ${name}`);
  return password;
}
