import { commandsFor, type Surroundings } from "@canvass/command-line";
import type { Canvass } from "@canvass/sdk";
import type { Access } from "./profiles/find-access.ts";

/** What a caller's command works with. */
export type Session = Surroundings & {
  /** The name given by `--profile`, else CANVASS_PROFILE, else `default`. */
  profile: string;
  /** Where the API is, and the token. Throws OperationalError if nobody logged in. */
  access: () => Promise<Access>;
  /** The SDK's client of that. */
  canvass: () => Promise<Canvass>;
};

export const defineCommand = commandsFor<Session>();
