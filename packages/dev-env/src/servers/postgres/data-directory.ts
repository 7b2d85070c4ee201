import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OperationalError } from "@canvass/provisioning/operational-error";
import type { OnSpawn } from "../../processes/roster.ts";
import { POSTGRES_MAJOR } from "./binaries.ts";
import type { PostgresBinaries } from "./binaries.ts";
import type { ServerAccount } from "./server-account.ts";
import { SCRAM_ITERATIONS } from "./server-settings.ts";

const PASSWORD_FILE = "superuser-password";
export const SUPERUSER = "postgres";

/** Returns the superuser's password. Renames a new cluster into place when it is complete. Throws OperationalError. */
export async function prepareDataDirectory(
  dataDir: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  onSpawn: OnSpawn,
): Promise<string> {
  if (await isAbsentOrEmpty(dataDir)) await initialize(dataDir, binaries, account, onSpawn);
  await checkVersion(dataDir);
  return readPassword(dataDir);
}

async function isAbsentOrEmpty(dataDir: string): Promise<boolean> {
  try {
    return (await readdir(dataDir)).length === 0;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw new OperationalError(
      `The PostgreSQL data directory ${dataDir} cannot be read: ${(cause as Error).message}.`,
      {
        cause,
      },
    );
  }
}

async function checkVersion(dataDir: string): Promise<void> {
  const advice = "Move it away to start with an empty one.";
  const version = await readFile(join(dataDir, "PG_VERSION"), "utf8").catch(() => undefined);
  if (version === undefined) {
    throw new OperationalError(`${dataDir} is not a PostgreSQL data directory (it has no PG_VERSION). ${advice}`);
  }
  if (version.trim() !== `${POSTGRES_MAJOR}`) {
    const made = `was made by PostgreSQL ${version.trim()}, but this is PostgreSQL ${POSTGRES_MAJOR}`;
    throw new OperationalError(`The data directory ${dataDir} ${made}. ${advice}`);
  }
}

async function readPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, PASSWORD_FILE);
  const password = await readFile(file, "utf8").catch((cause: Error) => {
    throw new OperationalError(`The database password cannot be read from ${file}: ${cause.message}.`, { cause });
  });
  return password.trim();
}

async function initialize(
  dataDir: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  onSpawn: OnSpawn,
): Promise<void> {
  const staging = `${dataDir}.new`;
  const passwordFile = join(dirname(dataDir), `.${basename(dataDir)}.password`);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  await giveTo(account, staging, passwordFile);
  try {
    await runInitdb(binaries.initdb, staging, passwordFile, account, onSpawn);
    await rename(passwordFile, join(staging, PASSWORD_FILE));
    await chmod(join(staging, PASSWORD_FILE), 0o600);
    // rename() only replaces an empty directory.
    await rename(staging, dataDir);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(staging, { recursive: true, force: true });
  }
}

async function giveTo({ uid, gid }: ServerAccount, ...paths: string[]): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  for (const path of paths) await chown(path, uid, gid);
}

async function runInitdb(
  initdb: string,
  dataDir: string,
  passwordFile: string,
  account: ServerAccount,
  onSpawn: OnSpawn,
): Promise<void> {
  // The built-in provider sorts the same on every machine, whatever the version of libc.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const scram = ["--auth=scram-sha-256", `--set=scram_iterations=${SCRAM_ITERATIONS}`];
  const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, ...scram];
  const words = [...account.prefix, initdb, `--pgdata=${dataDir}`, ...locale, ...access, "--no-instructions"];
  const output: string[] = [];
  const code = await new Promise<number | null>((resolve, reject) => {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(words[0] ?? initdb, words.slice(1), { cwd: "/", detached: true, stdio: [...stdio] });
    onSpawn(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output.push(String(chunk)));
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code === 0) return;
  throw new OperationalError(`PostgreSQL could not create its data directory ${dataDir}: ${causeIn(output.join(""))}`);
}

// The error is not the last line: initdb then reports its clean-up.
function causeIn(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const error = lines.find((line) => /\b(FATAL|PANIC|ERROR):/i.test(line));
  return error?.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/i, "") ?? (lines.slice(-2).join(" ") || "no output");
}
