import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";

import type { DataDir } from "./data-dir.ts";
import { processInfo } from "./processes/process-info.ts";

export type DataDirLock = Disposable & {
  /** Process id of an earlier launcher's watchdog that still runs. */
  watchdog: number | undefined;
  nameWatchdog: (pid: number) => void;
};

/** Locks `<lock>.db` by SQLite until this process ends. Throws OperationalError if another launcher holds the lock. */
export function lockDataDir({ lock, local }: Pick<DataDir, "lock" | "local">): DataDirLock {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(`${lock}.db`, { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    throw new OperationalError(refusal(error, lock), { cause: error });
  }
  const held = db;
  const former = Number(readHolder(lock)[1]);
  const watchdog = isWatchdog(former, local) ? former : undefined;
  const write = (...pids: number[]) => writeFileSync(lock, `${pids.join("\n")}\n`, { mode: 0o600 });
  write(process.pid, ...(watchdog === undefined ? [] : [watchdog]));
  return {
    watchdog,
    nameWatchdog: (pid) => write(process.pid, pid),
    [Symbol.dispose]() {
      if (held.isOpen) held.close();
    },
  };
}

/** A watchdog's command line contains the path of `local.json`; a later process with its pid has another one. */
function isWatchdog(pid: number, local: string): boolean {
  const { command } = processInfo(pid) ?? { command: "none" };
  // The command is empty while the shell becomes the clean-up program.
  return command === "" || command.includes(local);
}

const SQLITE_BUSY = 5;

function refusal(error: unknown, lock: string): string {
  const busy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
  if (!busy) return `The data directory's lock ${lock}.db cannot be used (${reasonOf(error)}).`;
  const [launcher = "unknown"] = readHolder(lock);
  return `Canvass is already running on this data directory (process ${launcher}); stop it first, or set CANVASS_DATA_DIR and CANVASS_PORT to run a second one.`;
}

function readHolder(lock: string): string[] {
  try {
    return readFileSync(lock, "utf8").trim().split("\n");
  } catch {
    return [];
  }
}
