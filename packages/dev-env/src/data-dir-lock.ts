import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";

import type { DataDir } from "./data-dir.ts";

/**
 * Locks `<lock>.db` by SQLite until it is disposed or this process ends. Throws OperationalError if another launcher
 * holds the lock.
 */
export function lockDataDir({ lock }: Pick<DataDir, "lock">): Disposable {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(`${lock}.db`, { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    throw new OperationalError(refusal(error, lock), { cause: error });
  }
  const held = db;
  writeFileSync(lock, `${process.pid}\n`, { mode: 0o600 });
  return {
    [Symbol.dispose]() {
      if (held.isOpen) held.close();
    },
  };
}

const SQLITE_BUSY = 5;

function refusal(error: unknown, lock: string): string {
  const busy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
  if (!busy) return `The data directory's lock ${lock}.db cannot be used (${reasonOf(error)}).`;
  return `Canvass is already running on this data directory (process ${readHolder(lock)}); stop it first, or set CANVASS_DATA_DIR and CANVASS_PORT to run a second one.`;
}

function readHolder(lock: string): string {
  try {
    return readFileSync(lock, "utf8").trim();
  } catch {
    return "unknown";
  }
}
