import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode } from "@canvass/provisioning/operational-error";

/**
 * Makes a directory and those above it, for this user only; one that exists is left as it is. Step by step, because
 * mkdir's own `recursive` never ends where the system says that a directory is missing whatever is made, as below /proc.
 */
export async function makeDirectory(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 }).catch(ignoreExisting);
  try {
    await make();
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await make();
  }
}

function ignoreExisting(error: unknown): void {
  // Whether it is a directory at all, its use will tell.
  if (systemErrorCode(error) !== "EEXIST") throw error;
}
