import { join, resolve } from "node:path";
import { readJson, type TlsFiles } from "@canvass/provisioning";

/** The workspace, the owner and the token that the first start makes. */
export type Identity = { workspaceId: string; personId: string; token: string };

/**
 * What `local.json` in the data directory tells other programs of this machine about the running system. It holds
 * secrets (mode 0600).
 */
export type LocalState = Identity & {
  /** Address of the API, with `/api/v1`. */
  baseUrl: string;
  /** Address of the web pages. */
  publicUrl: string;
  databaseUrl: string;
  natsUrl: string;
  /** With which the processes speak TLS to each other; absent when they speak clear text. */
  tlsFiles?: TlsFiles;
  processes: { name: string; pid: number; url: string }[];
};

/** Where a data directory keeps its secrets, and the file that is there while its system runs. */
export function systemFiles(dataDir: string): { root: string; keys: string; local: string } {
  const root = resolve(dataDir);
  return { root, keys: join(root, "keys.json"), local: join(root, "local.json") };
}

/** The running system's `local.json`, or undefined when no system runs on that data directory. */
export async function readLocalFile(path: string): Promise<LocalState | undefined> {
  return (await readJson(path)) as LocalState | undefined;
}
