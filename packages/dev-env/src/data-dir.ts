import { access, constants, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemFiles } from "@canvass/operator";

import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning/operational-error";

/** Where everything of one system lives. Two systems may run at once as long as their directories differ. */
export type DataDir = {
  root: string;
  logs: string;
  nats: string;
  postgres: string;
  mail: string;
  lock: string;
  keys: string;
  ports: string;
  state: string;
  local: string;
};

/**
 * Makes the data directory (and its logs) if it is missing.
 * Throws OperationalError when it is not a directory or can not be written to.
 */
export async function openDataDir(path: string): Promise<DataDir> {
  const dir = dataDirPaths(path);
  try {
    await makeDirectory(dir.logs);
    await makeDirectory(dir.mail);
    await access(dir.root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new OperationalError(`${unusable(error, dir.root)}; name another directory with CANVASS_DATA_DIR.`, {
      cause: error,
    });
  }
  return dir;
}

/** The paths inside the data directory `path`; touches nothing. */
export function dataDirPaths(path: string): DataDir {
  const files = systemFiles(path);
  const inside = (name: string) => join(files.root, name);
  return {
    ...files,
    logs: inside("logs"),
    nats: inside("nats"),
    postgres: inside("postgres"),
    mail: inside("mail"),
    lock: inside("lock"),
    ports: inside("ports.json"),
    state: inside("state.json"),
  };
}

function unusable(error: unknown, root: string): string {
  switch (systemErrorCode(error)) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `The data directory ${root} can not be written to`;
    case "EEXIST":
    case "ENOTDIR":
      return `The data directory ${root} is not a directory`;
    case "ENOSPC":
      return `The disk that holds the data directory ${root} is full`;
    default:
      return `The data directory ${root} can not be used (${reasonOf(error)})`;
  }
}

/**
 * Makes a directory and those above it, for this user only; one that exists is left as it is. Step by step, because
 * mkdir's own `recursive` never ends where the system says that a directory is missing whatever is made, as below /proc.
 */
async function makeDirectory(path: string): Promise<void> {
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
