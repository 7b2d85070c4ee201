import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";

import type { DataDir } from "./data-dir.ts";
import { processInfo } from "@canvass/servers/processes";

export type DataDirLock = Disposable & {
  /** The watchdog of an earlier launcher, still at work. */
  watchdog: number | undefined;
  /** Keeps the id of our own watchdog for the next launcher. */
  nameWatchdog: (pid: number) => void;
};

/**
 * Takes the data directory for this process. The lock is one of the operating system (SQLite's, on `<lock>.db`), so it
 * ends with the process however that dies and can never be stale; the file `lock` itself only tells who holds it, and
 * the id of that one's watchdog. Throws OperationalError when another launcher holds it.
 */
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

/** A watchdog's command line names a file of its directory; another process that has got its id since does not. */
function isWatchdog(pid: number, local: string): boolean {
  const { command } = processInfo(pid) ?? { command: "none" };
  // Empty for a moment while the shell becomes the program that ends what was left.
  return command === "" || command.includes(local);
}

const SQLITE_BUSY = 5;

function refusal(error: unknown, lock: string): string {
  const busy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
  if (!busy) return `The data directory's lock ${lock}.db can not be used (${reasonOf(error)}).`;
  const [launcher = "unknown"] = readHolder(lock);
  return `Canvass is already running on this data directory (process ${launcher}); stop it first, or set CANVASS_DATA_DIR and CANVASS_PORT to run a second one.`;
}

/** The process ids of a launcher and of its watchdog. */
function readHolder(lock: string): string[] {
  try {
    return readFileSync(lock, "utf8").trim().split("\n");
  } catch {
    return [];
  }
}
