import type { EnvEntry } from "./env-entries.ts";

const defaultPort = (variable: string): string => (variable === "NATS_URL" ? "4222" : "5432");

/** Returns `host:port` in lower case; undefined for a URL with several servers or none. */
export function serverOf({ name, value }: EnvEntry): string | undefined {
  const url = URL.parse(value);
  if (!url?.hostname || url.hostname.includes(",")) return undefined;
  return `${url.hostname.toLowerCase()}:${url.port || defaultPort(name)}`;
}

/** Returns one sentence if `variable` names another server than `server`, the value of `option`. */
export function serverConflicts(
  entries: readonly EnvEntry[],
  variable: string,
  option: string,
  server: string,
): string[] {
  const others = entries.filter((entry) => entry.name === variable && serverOf(entry) !== server.toLowerCase());
  if (others.length === 0) return [];
  const groups = Map.groupBy(others, (entry) => serverOf(entry) ?? "other servers");
  const places = [...groups].map(([other, group]) => `${other} in ${group.map(({ file }) => file).join(", ")}`);
  return [
    `${option} is ${server}, but ${variable} stays ${places.join("; ")}. Change it there, or leave ${option} out.`,
  ];
}
