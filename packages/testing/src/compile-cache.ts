import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";

/** Enough for ten runs of all tests. */
const MOST_FILES = 30_000;

/**
 * Returns the folder of compiled modules that workers and their programs share. Each run adds to it, because test files
 * and bundled programs have other addresses, so a large one is emptied.
 */
export async function prepareCompileCache(): Promise<string> {
  const folder = join(WORKSPACE_ROOT, "node_modules/.cache/node-compile/tests");
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  if (files.length > MOST_FILES) await rm(folder, { recursive: true, force: true });
  return folder;
}
