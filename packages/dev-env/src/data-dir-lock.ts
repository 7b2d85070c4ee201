import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";

/**
 * Takes the data directory for this process. The lock is one of the operating system (SQLite's, on `<path>.db`), so it
 * ends with the process however that dies and can never be stale; `path` itself only tells people who holds it.
 * Throws OperationalError when another launcher holds it.
 */
export function lockDataDir(path: string): Disposable {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(`${path}.db`, { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    throw new OperationalError(refusal(error, path), { cause: error });
  }
  const held = db;
  writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  return {
    [Symbol.dispose]() {
      if (held.isOpen) held.close();
    },
  };
}

const SQLITE_BUSY = 5;

function refusal(error: unknown, path: string): string {
  const busy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
  if (!busy) return `The data directory's lock ${path}.db can not be used (${reasonOf(error)}).`;
  return `Canvass is already running on this data directory (process ${holder(path)}); stop it first, or set CANVASS_DATA_DIR and CANVASS_PORT to run a second one.`;
}

function holder(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "unknown";
  }
}
