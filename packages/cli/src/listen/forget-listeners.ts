import type { Environment } from "@canvass/provisioning";
import type { Canvass } from "@canvass/sdk";
import { deleteSubscription } from "./feed-subscription.ts";
import { removeStates, type Listener } from "./listener-state.ts";

/** Deletes the subscription at the installation, then the local state. */
export async function forgetListeners(env: Environment, canvass: Canvass, owner: Omit<Listener, "forward">) {
  const deleted = await deleteSubscription(canvass);
  await removeStates(env, owner);
  return { url: owner.url, subscription: deleted ? "deleted" : "was not there" };
}
