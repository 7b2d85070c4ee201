import { join, resolve } from "node:path";
import { readJson, reasonOf, type TlsFiles } from "@canvass/provisioning";
import { UnreachableError } from "./errors.ts";

export type Identity = { workspaceId: string; personId: string; token: string };

/** The running system, for other local programs (`local.json`). It contains secrets (mode 0600). */
export type LocalState = Identity & {
  /** Includes `/api/v1`. */
  baseUrl: string;
  publicUrl: string;
  databaseUrl: string;
  natsUrl: string;
  /** For TLS between processes; absent for clear text. */
  tlsFiles?: TlsFiles;
  /** `opsUrl`: of /readyz and /metrics, for processes that have them. */
  processes: { name: string; pid: number; url: string; opsUrl?: string }[];
};

/** Paths of a system's secrets, and of the file that exists while it runs. */
export function systemFiles(dataDir: string): { root: string; keys: string; local: string } {
  const root = resolve(dataDir);
  return { root, keys: join(root, "keys.json"), local: join(root, "local.json") };
}

/** The running system's `local.json`; undefined if none runs. Throws UnreachableError for a foreign file. */
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
