import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { readJson } from "@canvass/provisioning";
import { endProcesses, isRunning } from "./end-processes.ts";
import type { Haste, KnownProcess, Stoppable, StopSignal } from "./end-processes.ts";
import { startOf } from "./process-start.ts";
import { keepWatchdog } from "./watchdog.ts";
import type { Watchdog } from "./watchdog.ts";

/** The processes that this one started, in a file: whoever comes after it knows what to end. */
export type Roster = AsyncDisposable & {
  /** Lists a process: from now on it can not be forgotten. */
  add: (pid: number, stopSignal: StopSignal) => void;
  /** Ends what it lists. */
  end: (haste: Haste) => Promise<void>;
};

/** What the file says. */
export type RosterState = { watchdog: KnownProcess | undefined; processes: Stoppable[] };

const NOTHING: RosterState = { watchdog: undefined, processes: [] };

/**
 * Begins a roster in the file `path`, and a watchdog that ends what it lists and removes `removeAtEnd` when this process
 * is gone, however it ended. Disposing ends all of that, and what is left on the roster.
 */
export async function keepRoster(path: string, removeAtEnd: readonly string[] = []): Promise<Roster> {
  let state = NOTHING;
  const change = (changes: Partial<RosterState>) => {
    state = { ...state, ...changes };
    write(path, state);
    // It knows them, too, should the file be gone when it is needed.
    watchdog?.tell(JSON.stringify(state.processes));
  };
  let watchdog: Watchdog | undefined;
  const end = async (haste: Haste) => void (await endProcesses(state.processes, haste));
  watchdog = await keepWatchdog([path, ...removeAtEnd], (pid) => change({ watchdog: known(pid) }));
  return {
    add(pid, stopSignal) {
      const process = known(pid);
      if (process === undefined) return;
      change({ processes: [...state.processes.filter(isRunning), { ...process, stopSignal }] });
    },
    end,
    async [Symbol.asyncDispose]() {
      await end("orderly");
      await watchdog?.[Symbol.asyncDispose]();
      rmSync(path, { force: true });
    },
  };
}

/** What the roster in the file `path` lists; nothing when there is none, or one of another directory. */
export async function readRoster(path: string): Promise<RosterState> {
  const stored = (await readJson(path).catch(() => undefined)) as (Partial<RosterState> & Place) | undefined;
  return stored?.place === undefined || stored.place !== placeOf(path) ? NOTHING : { ...NOTHING, ...stored };
}

type Place = { place?: string };

function known(pid: number): KnownProcess | undefined {
  const start = startOf(pid);
  return start === undefined ? undefined : { pid, start };
}

function write(path: string, state: RosterState): void {
  const draft = `${path}.new`;
  writeFileSync(draft, `${JSON.stringify({ place: placeOf(path), ...state }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Names the directory itself, wherever it was moved to: a copy of it must not end the processes of the original. */
function placeOf(path: string): string {
  const { dev, ino } = statSync(dirname(path));
  return `${dev}:${ino}`;
}
