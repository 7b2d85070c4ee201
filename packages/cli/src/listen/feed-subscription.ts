import { hostname, userInfo } from "node:os";
import type { RequestOptions, Canvass } from "@canvass/sdk";

/** One for each user of each machine. */
const subscriptionName = (): string => `canvass listen (${userInfo().username} on ${hostname()})`.slice(0, 100);

async function findOwn(canvass: Canvass, options?: RequestOptions) {
  const name = subscriptionName();
  return (await canvass.webhooks.list(options)).filter((each) => each.mode === "pull" && each.name === name);
}

/** Makes the feed take events, by a subscription that all later starts use again. Returns its id. */
export async function ensureSubscription(canvass: Canvass, options?: RequestOptions): Promise<string> {
  const [own] = await findOwn(canvass, options);
  if (!own) return (await canvass.events.subscribe({ name: subscriptionName() }, options)).id;
  if (own.status !== "active") await canvass.webhooks.update(own.id, { status: "active" }, options);
  return own.id;
}

/** Deletes that subscription, and returns whether there was one. */
export async function deleteSubscription(canvass: Canvass): Promise<boolean> {
  const own = await findOwn(canvass);
  for (const { id } of own) await canvass.webhooks.delete(id);
  return own.length > 0;
}
