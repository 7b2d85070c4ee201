import type { SystemKeys } from "@canvass/provisioning";
import type { EnvEntry } from "./env-entries.ts";
import { keptKeys } from "./kept-keys.ts";
import { keptPasswords } from "./kept-passwords.ts";
import { keptServers } from "./kept-servers.ts";
import type { Servers } from "./secret-values.ts";

export type KeptValues = {
  /** These override keys.json, because somebody may have edited the files. */
  keys: Partial<SystemKeys>;
  servers: Partial<Servers>;
  /** A sentence for each value that cannot be read, or differs between files but must not. Contains no values. */
  conflicts: string[];
};

/** Returns the values in `entries` that would otherwise be generated. */
export function keptValues(entries: readonly EnvEntry[], services: readonly string[]): KeptValues {
  const servers = keptServers(entries);
  const { keys, conflicts } = keptKeys(entries);
  const kept = keptPasswords(entries, services, servers.postgres);
  return {
    keys: { ...keys, databasePasswords: kept.passwords },
    servers,
    conflicts: [...conflicts, ...kept.conflicts],
  };
}
