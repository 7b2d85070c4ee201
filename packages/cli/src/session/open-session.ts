import type { Surroundings } from "@canvass/command-line";
import { createCanvass } from "@canvass/sdk";
import type { Session } from "../define-command.ts";
import { findAccess } from "../profiles/find-access.ts";

export function openSession(around: Surroundings, profile: string): Session {
  const access = () => findAccess(around.env, profile);
  return { ...around, profile, access, canvass: async () => createCanvass(await access()) };
}
