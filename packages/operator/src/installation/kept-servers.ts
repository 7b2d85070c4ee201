import type { EnvEntry } from "./env-entries.ts";
import type { Servers } from "./secret-values.ts";
import { serverOf } from "./server-of.ts";

/** Returns the servers in `entries`. PostgreSQL's is the administrator's, or else the only one of all databases. */
export function keptServers(entries: readonly EnvEntry[]): Partial<Servers> {
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
