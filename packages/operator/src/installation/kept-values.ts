import { createPublicKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { callerPrivateKey, callerPublicKey } from "@canvass/access";
import { systemErrorCode } from "@canvass/provisioning";
import type { SystemKeys } from "@canvass/provisioning";
import {
  ADMINISTRATOR,
  BUS_USER,
  databaseOf,
  databasePasswordNames,
  KEY_VARIABLES,
  passwordVariable,
} from "./secret-values.ts";
import type { Servers } from "./secret-values.ts";

export type KeptValues = {
  /** These override keys.json, because somebody may have edited the files. */
  keys: Partial<SystemKeys>;
  servers: Partial<Servers>;
  /** A sentence for each value that differs between files but must not. Contains no values. */
  faults: string[];
};

const DATABASES = ["DATABASE_URL", "CANVASS_RATE_LIMIT_DATABASE_URL"];

type Line = { file: string; name: string; value: string };
type Place = { where: string; value: string };

export async function readLines(folder: string, files: readonly string[]): Promise<Line[]> {
  const lines: Line[] = [];
  for (const file of files) {
    const values = Object.entries(parseEnv(await readIfThere(join(folder, file))));
    lines.push(...values.map(([name, value]) => ({ file, name, value: value ?? "" })));
  }
  return lines.filter(({ value }) => value !== "");
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  }
}

/** Returns the values in `lines` that would otherwise be generated. */
export function keptValues(lines: readonly Line[], services: readonly string[]): KeptValues {
  const faults: string[] = [];
  const agreed = (what: string, places: readonly Place[]): string | undefined => {
    const values = Map.groupBy(places, ({ value }) => value);
    const groups = [...values.values()].map((group) => group.map(({ where }) => where).join(", "));
    if (groups.length > 1) faults.push(`${what} differs: one in ${groups.join("; another in ")}. Make them the same.`);
    return places[0]?.value;
  };
  const named = (variable: string) => lines.filter(({ name }) => name === variable);
  const keys: Record<string, string> = {};
  for (const [variable, key] of KEY_VARIABLES) {
    const value = agreed(
      variable,
      named(variable).map(({ file, value }) => ({ where: file, value })),
    );
    if (value !== undefined) keys[key] = value;
  }
  if (!isPair(keys["callerPrivateKey"], keys["callerPublicKey"]))
    faults.push("CANVASS_CALLER_PUBLIC_KEY is not that of CANVASS_CALLER_PRIVATE_KEY. Change both.");
  const administrator = named("DATABASE_URL").find(({ file }) => file === "operator.env");
  const postgres = administrator && serverOf(administrator);
  const databasePasswords: Record<string, string> = {};
  const take = (name: string, places: readonly Place[]) => {
    const password = agreed(`The password of ${name}`, places);
    if (password !== undefined) databasePasswords[name] = password;
  };
  take(ADMINISTRATOR, passwordsOf(administrator ? [administrator] : [], ADMINISTRATOR));
  for (const name of databasePasswordNames(services)) {
    // A database on another server has its own password.
    const urls = DATABASES.flatMap(named).filter((line) => line !== administrator && serverOf(line) === postgres);
    const variable = passwordVariable(name);
    const told = named(variable).map(({ file, value }) => ({ where: `${file} (${variable})`, value }));
    take(name, [...told, ...passwordsOf(urls, databaseOf(name))]);
  }
  take("nats", passwordsOf(named("NATS_URL"), BUS_USER));
  const urls = named("NATS_URL");
  const nats = urls.map(serverOf).find((server) => server !== undefined);
  const [natsUrl, ...different] = new Set(urls.map(({ value }) => value));
  const servers = {
    ...(postgres !== undefined && { postgres }),
    ...(nats !== undefined && { nats }),
    ...(natsUrl !== undefined && different.length === 0 && { natsUrl }),
  };
  return { keys: { ...keys, databasePasswords }, servers, faults };
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

function passwordsOf(lines: readonly Line[], user: string): Place[] {
  return lines.flatMap(({ file, name, value }) => {
    const { username, password } = URL.parse(value) ?? {};
    return username === user && password ? [{ where: `${file} (${name})`, value: decodeURIComponent(password) }] : [];
  });
}

const portOf = (name: string): string => (name === "NATS_URL" ? "4222" : "5432");

/** Returns `host:port`; undefined for a URL with several servers or none. */
function serverOf({ name, value }: Line): string | undefined {
  const url = URL.parse(value);
  return url?.hostname ? `${url.hostname}:${url.port || portOf(name)}` : undefined;
}

/** Returns one sentence if `variable` names another server than `server`, the value of `option`. */
export function serverFaults(lines: readonly Line[], variable: string, option: string, server: string): string[] {
  const others = lines.filter(
    (line) => line.name === variable && serverOf(line)?.toLowerCase() !== server.toLowerCase(),
  );
  if (others.length === 0) return [];
  const groups = Map.groupBy(others, (line) => serverOf(line) ?? "other servers");
  const told = [...groups].map(([other, group]) => `${other} in ${group.map(({ file }) => file).join(", ")}`);
  return [`${option} is ${server}, but ${variable} stays ${told.join("; ")}. Change it there, or leave ${option} out.`];
}
