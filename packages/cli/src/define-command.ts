import { commandsFor, type Surroundings } from "@canvass/command-line";
import type { Canvass } from "@canvass/sdk";
import type { Access } from "./profiles/find-access.ts";

/** The dependencies of a caller's command. */
export type Session = Surroundings & {
  /** The name given by `--profile`, else CANVASS_PROFILE, else `default`. */
  profile: string;
  /** Returns the API's URL and the token. Throws OperationalError if there is no login. */
  access: () => Promise<Access>;
  /** Returns the SDK's client for them. Throws like `access`. */
  canvass: () => Promise<Canvass>;
};

export const defineCommand = commandsFor<Session>();
