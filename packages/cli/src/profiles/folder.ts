import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@canvass/provisioning";

/** The user's folder for what `canvass` is configured with (XDG Base Directory Specification). */
export const configFolder = (env: Environment): string =>
  join(env["XDG_CONFIG_HOME"] || (env["APPDATA"] ?? join(env["HOME"] || homedir(), ".config")), "canvass");

/** The user's folder for what `canvass` continues with after a restart. */
export const stateFolder = (env: Environment): string =>
  join(env["XDG_STATE_HOME"] || (env["LOCALAPPDATA"] ?? join(env["HOME"] || homedir(), ".local/state")), "canvass");
