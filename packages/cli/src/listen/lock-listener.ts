import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OperationalError, reasonOf, type Environment } from "@canvass/provisioning";
import { statePath, type Listener } from "./listener-state.ts";

const SQLITE_BUSY = 5;

/** Lets one process at a time forward to an address, by a lock that ends with the process, however it ends. */
export function lockListener(env: Environment, listener: Listener): Disposable {
  const path = statePath(env, listener).replace(/json$/, "lock");
  let db: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    const busy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    const reason = busy
      ? `Another \`canvass listen\` forwards to ${listener.forward} already; end it first, or forward to another address.`
      : `The lock ${path} cannot be used (${reasonOf(error)}).`;
    throw new OperationalError(reason, { cause: error });
  }
  const held = db;
  return { [Symbol.dispose]: () => held.close() };
}
