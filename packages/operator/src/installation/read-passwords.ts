import type { EnvEntry } from "./env-entries.ts";
import { ADMINISTRATOR, BUS_USER, databasePasswordNames, loginOf, passwordVariable } from "./secret-values.ts";
import { serverOf } from "./server-of.ts";
import { uniqueValue, type Place } from "./unique-value.ts";

const DATABASE_VARIABLES = ["DATABASE_URL", "CANVASS_RATE_LIMIT_DATABASE_URL"];

/** Returns the passwords in `entries` by name. `postgres`: the server of all databases, if known. */
export function readPasswords(
  entries: readonly EnvEntry[],
  services: readonly string[],
  postgres: string | undefined,
): { passwords: Record<string, string>; conflicts: string[] } {
  const passwords: Record<string, string> = {};
  const conflicts: string[] = [];
  const keepPassword = (name: string, user: string, urls: readonly EnvEntry[], variables: readonly Place[] = []) => {
    const ofUrls = passwordsOf(urls, user);
    const unreadable = ofUrls.filter(({ value }) => value === undefined);
    conflicts.push(...unreadable.map(({ where }) => `The password in ${where} has a stray %. Write %25 for %.`));
    const readable = ofUrls.flatMap(({ where, value }) => (value === undefined ? [] : [{ where, value }]));
    const password = uniqueValue(`The password of ${name}`, [...variables, ...readable]);
    conflicts.push(...password.conflicts);
    if (password.value !== undefined) passwords[name] = password.value;
  };
  const isAdministrator = ({ file, name }: EnvEntry) => file === "operator.env" && name === "DATABASE_URL";
  keepPassword(ADMINISTRATOR, ADMINISTRATOR, entries.filter(isAdministrator));
  // A database on another server has its own password.
  const databaseUrls = entries.filter(
    (entry) =>
      DATABASE_VARIABLES.includes(entry.name) &&
      !isAdministrator(entry) &&
      postgres !== undefined &&
      serverOf(entry) === postgres,
  );
  for (const name of databasePasswordNames(services)) {
    const variable = passwordVariable(name);
    const variables = entries
      .filter((entry) => entry.name === variable)
      .map(({ file, value }) => ({ where: `${file} (${variable})`, value }));
    keepPassword(name, loginOf(name), databaseUrls, variables);
  }
  const natsUrls = entries.filter(({ name }) => name === "NATS_URL");
  keepPassword("nats", BUS_USER, natsUrls);
  return { passwords, conflicts };
}

/** Returns the passwords of `user`; undefined for one that is not percent-encoded. */
function passwordsOf(urls: readonly EnvEntry[], user: string): { where: string; value: string | undefined }[] {
  return urls.flatMap(({ file, name, value }) => {
    const { username, password } = URL.parse(value) ?? {};
    return username === user && password ? [{ where: `${file} (${name})`, value: decode(password) }] : [];
  });
}

function decode(password: string): string | undefined {
  try {
    return decodeURIComponent(password);
  } catch {
    return undefined;
  }
}
