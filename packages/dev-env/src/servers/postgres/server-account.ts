import { access, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { OperationalError } from "@canvass/provisioning/operational-error";

export interface ServerAccount {
  uid: number | undefined;
  gid: number | undefined;
  /** Words before a command, such as `setpriv ... --`; empty if the account stays. */
  prefix: string[];
}

const SETPRIV = "/usr/bin/setpriv";

/** PostgreSQL refuses to run as root: root takes the account of `dataDir`'s owner, else `postgres`, else `nobody`. */
export async function serverAccount(dataDir: string, binary: string): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return { uid: undefined, gid: undefined, prefix: [] };
  const hasSetpriv = await access(SETPRIV).then(
    () => true,
    () => false,
  );
  if (!hasSetpriv) {
    throw new OperationalError(
      "PostgreSQL does not run as root and setpriv (util-linux) is missing; start as another user.",
    );
  }
  const { uid, gid } = (await ownerOf(dataDir)) ?? (await lookUpAccount(["postgres", "nobody"]));
  const switchUser = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  const open = (await isOpenPath(dirname(dataDir))) && (await isOpenPath(binary));
  const passage = open ? [] : await keepPassage();
  return { uid, gid, prefix: [SETPRIV, ...passage, ...switchUser, "--"] };
}

const CAP_DAC_READ_SEARCH_BIT = 1n << 2n;

/** A capability to pass directories that are closed to the server. no_setuid_fixup makes access(2) honour it. */
async function keepPassage(): Promise<string[]> {
  const status = await readFile("/proc/self/status", "utf8");
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  const capability = (effective & CAP_DAC_READ_SEARCH_BIT) === 0n ? "dac_override" : "dac_read_search";
  const sets = ["inh-caps", "bounding-set"].map((set) => `--${set}=-all,+${capability}`);
  return ["--securebits=+no_setuid_fixup", ...sets, `--ambient-caps=+${capability}`];
}

async function ownerOf(dataDir: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(dataDir).catch(() => undefined);
  return found !== undefined && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

async function lookUpAccount(names: string[]): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const name of names) {
    const entry = lines.find((fields) => fields[0] === name);
    if (entry !== undefined) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new OperationalError(
    "PostgreSQL does not run as root and this machine has neither a postgres nor a nobody account.",
  );
}

async function isOpenPath(path: string): Promise<boolean> {
  const mode = (await stat(path)).mode;
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(path);
  return parent === path ? true : isOpenPath(parent);
}
