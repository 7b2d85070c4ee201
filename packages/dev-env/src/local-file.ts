import { rm } from "node:fs/promises";

import { readJson, writePrivateJson } from "./atomic-file.ts";
import type { Identity } from "./identity.ts";
import type { TlsFiles } from "./tls/tls-files.ts";

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

export type LocalFile = AsyncDisposable & {
  /** Writes the present state, in the background. */
  update: () => void;
};

/**
 * Writes `local.json`, atomically, now and on every `update`. The file exists only while the system runs: one that has
 * stopped must not look alive (the watchdog removes it when this process is killed).
 */
export async function keepLocalFile(path: string, state: () => LocalState): Promise<LocalFile> {
  let closed = false;
  let writing = writePrivateJson(path, state());
  const writeAgain = async () => {
    if (!closed) await writePrivateJson(path, state());
  };
  await writing;
  return {
    update() {
      writing = writing.then(writeAgain).catch(() => {});
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await writing;
      await rm(path, { force: true });
    },
  };
}

/** The running system's `local.json`, or undefined when no system runs on that data directory. */
export async function readLocalFile(path: string): Promise<LocalState | undefined> {
  return (await readJson(path)) as LocalState | undefined;
}
