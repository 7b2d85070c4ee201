import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder, OperationalError, reasonOf } from "@canvass/provisioning";

const SQLITE_BUSY = 5;

/**
 * Holds a lock that ends with the process, however it ends. Blocks until it is free, at most `waitMs` (default: not at
 * all). Throws OperationalError with `busy` if another one has it still.
 */
export function holdLock(path: string, busy: string, { waitMs = 0 } = {}): Disposable {
  let db: DatabaseSync | undefined;
  try {
    makeFolder(dirname(path));
    db = new DatabaseSync(path, { timeout: waitMs });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    const isHeld = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    const reason = isHeld ? busy : `The lock ${path} cannot be used (${reasonOf(error)}).`;
    throw new OperationalError(reason, { cause: error });
  }
  const held = db;
  return { [Symbol.dispose]: () => held.close() };
}
