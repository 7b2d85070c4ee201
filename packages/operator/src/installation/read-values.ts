import type { SystemKeys } from "@canvass/provisioning";
import type { EnvEntry } from "./env-entries.ts";
import { readPasswords } from "./read-passwords.ts";
import { type Servers, KEY_VARIABLES } from "./secret-values.ts";
import { createPublicKey } from "node:crypto";
import { callerPrivateKey, callerPublicKey } from "@canvass/access";
import { uniqueValue } from "./unique-value.ts";
import { serverOf } from "./server-of.ts";

export type KeptValues = {
  /** These override keys.json, because the files may have been edited. */
  keys: Partial<SystemKeys>;
  servers: Partial<Servers>;
  /** A sentence for each value that cannot be read, or differs between files but must not. Contains no values. */
  conflicts: string[];
};

/** Returns the values in `entries` that would otherwise be generated. */
export function readValues(entries: readonly EnvEntry[], services: readonly string[]): KeptValues {
  const servers = keptServers(entries);
  const { keys, conflicts } = keptKeys(entries);
  const kept = readPasswords(entries, services, servers.postgres);
  return {
    keys: { ...keys, databasePasswords: kept.passwords },
    servers,
    conflicts: [...conflicts, ...kept.conflicts],
  };
}

/** Returns the keys in `entries`, by their names in keys.json. */
function keptKeys(entries: readonly EnvEntry[]): { keys: Record<string, string>; conflicts: string[] } {
  const keys: Record<string, string> = {};
  const conflicts: string[] = [];
  for (const [variable, key] of KEY_VARIABLES) {
    const places = entries.filter(({ name }) => name === variable).map(({ file, value }) => ({ where: file, value }));
    const unique = uniqueValue(variable, places);
    conflicts.push(...unique.conflicts);
    if (unique.value !== undefined) keys[key] = unique.value;
  }
  if (!isPair(keys["callerPrivateKey"], keys["callerPublicKey"]))
    conflicts.push("CANVASS_CALLER_PUBLIC_KEY is not that of CANVASS_CALLER_PRIVATE_KEY. Change both.");
  return { keys, conflicts };
}

/** True also if a key is absent. */
function isPair(privateKey: string | undefined, publicKey: string | undefined): boolean {
  if (privateKey === undefined || publicKey === undefined) return true;
  try {
    return createPublicKey(callerPrivateKey(privateKey)).equals(callerPublicKey(publicKey));
  } catch {
    return false;
  }
}

/** Returns the servers in `entries`. PostgreSQL's is the administrator's, or else the only one of all databases. */
function keptServers(entries: readonly EnvEntry[]): Partial<Servers> {
  const databaseUrls = entries.filter(({ name }) => name === "DATABASE_URL");
  const administrator = databaseUrls.find(({ file }) => file === "operator.env");
  const postgres = administrator ? serverOf(administrator) : onlyOne(databaseUrls.map(serverOf));
  const natsUrls = entries.filter(({ name }) => name === "NATS_URL");
  const nats = natsUrls.map(serverOf).find((server) => server !== undefined);
  const natsUrl = onlyOne(natsUrls.map(({ value }) => value));
  return {
    ...(postgres !== undefined && { postgres }),
    ...(nats !== undefined && { nats }),
    ...(natsUrl !== undefined && { natsUrl }),
  };
}

function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}
