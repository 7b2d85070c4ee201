import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { Environment } from "@canvass/provisioning";
import { holdLock } from "../hold-lock.ts";
import { stateFolder } from "../profiles/folder.ts";

/** Lets one process at a time export to a file, since two would write into one `.part` file. */
export function lockExport(env: Environment, path: string): Disposable {
  const digest = createHash("sha256").update(resolve(path)).digest("hex");
  const lock = join(stateFolder(env), "exports", `${digest.slice(0, 24)}.lock`);
  return holdLock(
    lock,
    `Another \`canvass responses export\` writes ${path}; wait until it ends, or give another --out.`,
  );
}
