import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { keepKeys, OperationalError, reasonOf } from "@canvass/provisioning";
import { defineCommand } from "../command.ts";
import { writeSecretFiles } from "../installation/write-secret-files.ts";

type Written = { directory: string; changed: string[] };

const serverFault = (text: string) =>
  /^[\w.-]+:\d{1,5}$/.test(text) ? undefined : "is a host and a port such as postgres:5432";

const KEYS = "keys.json";

/** What was made from keys that are elsewhere now would stay, and what is added would come from others. */
async function requireKeysBesideSecrets(folder: string): Promise<void> {
  const names = await readdir(folder);
  // One of those that nobody writes by hand.
  if (names.includes(KEYS) || !names.includes("postgres-password")) return;
  throw new OperationalError(
    `${folder} has secrets, but not the ${KEYS} that they were made from. Put it back, or name an empty folder for a new installation.`,
  );
}

export const installationSecrets = defineCommand({
  words: ["installation", "secrets"],
  summary: "Make the secrets of an installation, a file for each process; later calls add what a newer version needs",
  example: "installation secrets --directory secrets",
  options: {
    directory: { placeholder: "path", required: true, help: "where to keep them; keys.json there has all, back it up" },
    postgres: { placeholder: "host:port", help: "the PostgreSQL server (default: postgres:5432)", fault: serverFault },
    nats: { placeholder: "host:port", help: "the NATS server (default: nats:4222)", fault: serverFault },
  },
  async run({ directory, postgres = "postgres:5432", nats = "nats:4222" }): Promise<Written> {
    const { installationPasswords, secretFiles } = await import("../installation/secret-files.ts");
    const folder = resolve(directory);
    try {
      // First, as it makes the folder that the keys are kept in.
      await writeSecretFiles(folder, {});
      await requireKeysBesideSecrets(folder);
      const keys = await keepKeys(join(folder, KEYS), installationPasswords);
      return { directory: folder, changed: await writeSecretFiles(folder, secretFiles(keys, { postgres, nats })) };
    } catch (error) {
      if (error instanceof OperationalError) throw error;
      throw new OperationalError(`The secrets can not be written to ${folder}: ${reasonOf(error)}.`, { cause: error });
    }
  },
  show: (result) => {
    const { directory, changed } = result as Written;
    return changed.length === 0 ? `${directory} has all secrets already` : `${directory}: wrote ${changed.join(", ")}`;
  },
});
