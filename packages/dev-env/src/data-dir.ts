import { access, constants, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemFiles } from "@canvass/operator/local-file";

import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning/operational-error";

export type DataDir = {
  root: string;
  logs: string;
  nats: string;
  postgres: string;
  mail: string;
  files: string;
  lock: string;
  programs: string;
  keys: string;
  ports: string;
  state: string;
  trial: string;
  local: string;
};

/** Creates the directory if missing. Throws OperationalError if it is not a writable directory. */
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

export function dataDirPaths(path: string): DataDir {
  const files = systemFiles(path);
  const inside = (name: string) => join(files.root, name);
  return {
    ...files,
    logs: inside("logs"),
    nats: inside("nats"),
    postgres: inside("postgres"),
    mail: inside("mail"),
    files: inside("files"),
    lock: inside("lock"),
    programs: inside("programs"),
    ports: inside("ports.json"),
    state: inside("state.json"),
    trial: inside("trial.json"),
  };
}

function unusable(error: unknown, root: string): string {
  switch (systemErrorCode(error)) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `The data directory ${root} cannot be written to`;
    case "EEXIST":
    case "ENOTDIR":
      return `The data directory ${root} is not a directory`;
    case "ENOSPC":
      return `The disk that holds the data directory ${root} is full`;
    default:
      return `The data directory ${root} cannot be used (${reasonOf(error)})`;
  }
}

/** Without `recursive` of mkdir, which never ends below /proc. Only this user may enter the directory. */
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
  if (systemErrorCode(error) !== "EEXIST") throw error;
}
