import { access, constants, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Where downloads are kept: `canvass` in the user's cache home (XDG Base Directory specification), so that systems
 * with other data directories share them, or `cache` in the data directory when that is not writable.
 */
export async function openCacheDir(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
): Promise<string> {
  const shared = join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "canvass");
  try {
    await mkdir(shared, { recursive: true });
    await access(shared, constants.W_OK);
    return shared;
  } catch {
    const own = join(dataDir, "cache");
    await mkdir(own, { recursive: true });
    return own;
  }
}
