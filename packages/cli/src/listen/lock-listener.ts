import type { Environment } from "@canvass/provisioning";
import { holdLock } from "../hold-lock.ts";
import { statePath, type Listener } from "./listener-state.ts";

/** Lets one process of an installation and profile at a time forward to an address, or show events where that is "". */
export function lockListener(env: Environment, listener: Listener): Disposable {
  const work = listener.forward === "" ? "shows events" : `forwards to ${listener.forward}`;
  const busy = `Another \`canvass listen\` ${work} already; end it first, or forward to another address.`;
  return holdLock(statePath(env, listener).replace(/json$/, "lock"), busy);
}
