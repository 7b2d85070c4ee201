import { readdir } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ensureKeys, OperationalError, readKeys, reasonOf } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";
import { writeSecretFiles } from "../installation/write-secret-files.ts";

type Written = { directory: string; changed: string[] };

const KEYS = "keys.json";
const SERVERS = { postgres: "postgres:5432", nats: "nats:4222" };

function serverViolation(text: string): string | undefined {
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const isHost = /^\w([\w-]*\w)?(\.\w([\w-]*\w)?)*$/.test(host) || isIPv6(/^\[(.*)\]$/.exec(host)?.[1] ?? "");
  if (isHost && Number(port) >= 1 && Number(port) <= 65_535) return undefined;
  return "is a host and a port such as postgres:5432";
}

/** Without keys.json, new secrets would not match the existing ones. */
async function absentKeys(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  // Only this command writes postgres-password.
  if (names.includes(KEYS) || !names.includes("postgres-password")) return [];
  return [`It has secrets, but not the ${KEYS} of which they were made. Put it back, or name an empty folder.`];
}

export const installationSecrets = defineCommand({
  words: ["installation", "secrets"],
  summary: "Create the secrets of an installation, a file for each process; later calls add what a newer version needs",
  example: "installation secrets --directory secrets",
  options: {
    directory: {
      placeholder: "path",
      required: true,
      help: "folder for the files; back up its keys.json, which has all secrets",
    },
    postgres: {
      placeholder: "host:port",
      help: "the PostgreSQL server (default: that of the existing files, else postgres:5432)",
      violation: serverViolation,
    },
    nats: {
      placeholder: "host:port",
      help: "the NATS server (default: that of the existing files, else nats:4222)",
      violation: serverViolation,
    },
  },
  async run({ directory, postgres, nats }): Promise<Written> {
    const { installationPasswords, secretFiles, secretFileNames } = await import("../installation/secret-files.ts");
    const { readEntries } = await import("../installation/env-entries.ts");
    const { readValues } = await import("../installation/read-values.ts");
    const { serverConflicts } = await import("../installation/server-of.ts");
    const { serviceNames } = await import("@canvass/processes");
    const folder = resolve(directory);
    try {
      // This call creates the folder, which the keys need.
      await writeSecretFiles(folder, {});
      const entries = await readEntries(folder, secretFileNames);
      const kept = readValues(entries, serviceNames);
      const conflicts = [
        ...(await absentKeys(folder)),
        ...kept.conflicts,
        ...(postgres === undefined ? [] : serverConflicts(entries, "DATABASE_URL", "--postgres", postgres)),
        ...(nats === undefined ? [] : serverConflicts(entries, "NATS_URL", "--nats", nats)),
      ];
      if (conflicts.length > 0) throw new OperationalError(`Nothing was written to ${folder}. ${conflicts.join(" ")}`);
      const servers = { ...SERVERS, ...kept.servers, ...(postgres && { postgres }), ...(nats && { nats }) };
      const before = await readKeys(join(folder, KEYS));
      const keys = await ensureKeys(join(folder, KEYS), installationPasswords, kept.keys);
      const changed = await writeSecretFiles(folder, secretFiles(keys, servers));
      return { directory: folder, changed: isDeepStrictEqual(before, keys) ? changed : [KEYS, ...changed] };
    } catch (error) {
      if (error instanceof OperationalError) throw error;
      throw new OperationalError(`The secrets cannot be written to ${folder}: ${reasonOf(error)}.`, { cause: error });
    }
  },
  show: (result) => {
    const { directory, changed } = result as Written;
    return changed.length === 0 ? `${directory} has all secrets already` : `${directory}: wrote ${changed.join(", ")}`;
  },
});
