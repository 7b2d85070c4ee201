import { join, resolve } from "node:path";
import { readJson, type TlsFiles } from "@canvass/provisioning";

export type Identity = { workspaceId: string; personId: string; token: string };

/** The running system, for other local programs (`local.json`). It holds secrets (mode 0600). */
export type LocalState = Identity & {
  /** Includes `/api/v1`. */
  baseUrl: string;
  publicUrl: string;
  databaseUrl: string;
  natsUrl: string;
  /** For TLS between processes; absent for clear text. */
  tlsFiles?: TlsFiles;
  processes: { name: string; pid: number; url: string }[];
};

/** Paths of a system's secrets, and of the file that exists while it runs. */
export function systemFiles(dataDir: string): { root: string; keys: string; local: string } {
  const root = resolve(dataDir);
  return { root, keys: join(root, "keys.json"), local: join(root, "local.json") };
}

/** The running system's `local.json`; undefined when none runs. */
export async function readLocalFile(path: string): Promise<LocalState | undefined> {
  return (await readJson(path)) as LocalState | undefined;
}
