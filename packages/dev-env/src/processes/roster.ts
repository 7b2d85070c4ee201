import { randomUUID } from "node:crypto";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";

import { endProcesses } from "./end-processes.ts";
import type { StopMode, Stoppable, StopSignal } from "./end-processes.ts";
import { processInfo } from "./process-info.ts";

/** Called with every spawned process at once, so that it is listed before anything else happens. */
export type OnSpawn = (child: ChildProcess) => void;

export type Roster = AsyncDisposable & {
  list: (stopSignal: StopSignal) => OnSpawn;
  end: (stopMode: StopMode) => Promise<void>;
};

type Entry = {
  owner: { pid: number; started: string | undefined };
  processes: Stoppable[];
  /** Exist only while the owner runs. */
  files: readonly string[];
};

export type Leftover = Pick<Entry, "processes" | "files"> & { path: string };

const FOLDER = join(WORKSPACE_ROOT, "node_modules/.cache/running");

/**
 * Ends what killed owners left, then lists this process' children in a file of the checkout, so that a later start can
 * do the same. Disposing ends them.
 */
export async function openRoster({ files = [], folder = FOLDER }: RosterOptions = {}): Promise<Roster> {
  await endLeftovers(findLeftovers(folder));
  const path = join(folder, `${randomUUID()}.json`);
  const listed = new Map<ChildProcess, Stoppable>();
  const owner = { pid: process.pid, started: processInfo(process.pid)?.started };
  const write = () => writeEntry(path, { owner, processes: [...listed.values()], files });
  const end = (stopMode: StopMode) => endProcesses([...listed.values()], stopMode);
  write();
  return {
    list: (stopSignal) => (child) => {
      const { pid } = child;
      const started = pid && processInfo(pid)?.started;
      if (!pid || !started) return;
      listed.set(child, { pid, stopSignal, started });
      write();
      child.once("exit", () => {
        if (listed.delete(child)) attempt(write);
      });
    },
    end,
    async [Symbol.asyncDispose]() {
      await end("orderly");
      listed.clear();
      rmSync(path, { force: true });
    },
  };
}

export type RosterOptions = { files?: readonly string[]; folder?: string };

/** Finds the lists of owners that have ended. */
export function findLeftovers(folder = FOLDER): Leftover[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const entry = readEntry(path);
    return entry === undefined || isRunning(entry.owner) ? [] : [{ ...entry, path }];
  });
}

export async function endLeftovers(leftovers: readonly Leftover[]): Promise<void> {
  await endProcesses(leftovers.flatMap(({ processes }) => processes));
  for (const { path, files } of leftovers) for (const file of [...files, path]) rmSync(file, { force: true });
}

function isRunning({ pid, started }: Entry["owner"]): boolean {
  return processInfo(pid)?.started === started;
}

/** Ignores failures: an ended process may stay listed, since its start time tells it from a later one with its id. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // The disk is full, or the folder cannot be made.
  }
}

/** Renames, so that no reader finds half a list. `node_modules` may have been deleted since the last write. */
function writeEntry(path: string, entry: Entry): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(entry), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function readEntry(path: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Entry;
  } catch {
    // Another start has ended these leftovers.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}
