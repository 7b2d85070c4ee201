import { UnreachableError } from "@canvass/command-line";
import { join, resolve } from "node:path";
import { readJson, reasonOf, type TlsFiles } from "@canvass/provisioning";

export type Identity = { workspaceId: string; personId: string; token: string };

/** The running system, for other local programs (`local.json`, mode 0600). Contains secrets. */
export type LocalState = Identity & {
  baseUrl: string;
  publicUrl: string;
  databaseUrl: string;
  natsUrl: string;
  tlsFiles?: TlsFiles;
  /** `opsUrl`: the address of /readyz and /metrics, for processes that have them. */
  processes: { name: string; pid: number; url: string; opsUrl?: string }[];
};

export function systemFiles(dataDir: string): { root: string; keys: string; local: string } {
  const root = resolve(dataDir);
  return { root, keys: join(root, "keys.json"), local: join(root, "local.json") };
}

/** Returns undefined if no system runs. Throws UnreachableError for an invalid file. */
export async function readLocalFile(path: string): Promise<LocalState | undefined> {
  try {
    const state = await readJson(path);
    if (state !== undefined && !isLocalState(state)) throw new Error("it lists no processes");
    return state;
  } catch (error) {
    const remedy = "start the system anew, or name its token service with --token-service";
    throw new UnreachableError(`${path} cannot be read (${reasonOf(error)}); ${remedy}.`, { cause: error });
  }
}

function isLocalState(value: unknown): value is LocalState {
  const { processes } = (value ?? {}) as Partial<LocalState>;
  return Array.isArray(processes) && processes.every((listed) => typeof listed?.url === "string");
}
