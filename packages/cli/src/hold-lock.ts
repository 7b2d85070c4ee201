import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OperationalError, reasonOf } from "@canvass/provisioning";

const SQLITE_BUSY = 5;

/** Holds a lock that ends with the process, however it ends. Throws OperationalError with `busy` if another one has it. */
export function holdLock(path: string, busy: string): Disposable {
  let db: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    db = new DatabaseSync(path, { timeout: 0 });
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
