import { join, resolve } from "node:path";
import type { Environment } from "@canvass/provisioning";
import { holdLock } from "../hold-lock.ts";
import { stateFolder } from "../profiles/folder.ts";
import { digestOf } from "./survey-file.ts";

/** Lets one process at a time pull or apply a file. */
export function lockSurveyFile(env: Environment, path: string): Disposable {
  const lock = join(stateFolder(env), "apply", `${digestOf(resolve(path)).slice(0, 24)}.lock`);
  return holdLock(lock, `Another \`canvass apply\` or \`pull\` of ${path} is running; wait until it ends.`);
}
