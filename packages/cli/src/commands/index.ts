import type { Command } from "@canvass/command-line";
import type { Session } from "../define-command.ts";
import { certify } from "./certify.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { whoami } from "./whoami.ts";

export const COMMANDS: readonly Command<Session>[] = [login, whoami, logout, certify];

export const GROUPS: Readonly<Record<string, string>> = {};
