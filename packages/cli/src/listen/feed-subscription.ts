import { hostname, userInfo } from "node:os";
import { CanvassError, type RequestOptions, type Canvass } from "@canvass/sdk";

/** One for each user of each machine. */
const subscriptionName = (): string => `canvass listen (${userName()} on ${hostname()})`.slice(0, 100);

/** A container may run as a user that its system does not name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

async function findOwn(canvass: Canvass, options?: RequestOptions) {
  const name = subscriptionName();
  return (await canvass.webhooks.list(options)).filter((each) => each.mode === "pull" && each.name === name);
}

/**
 * Returns the id of an active pull subscription of this user: `known` if it still exists. Creates or resumes one, since
 * without one the feed stays empty.
 */
export async function ensureSubscription(
  canvass: Canvass,
  known: string | null,
  options?: RequestOptions,
): Promise<string> {
  const all = await findOwn(canvass, options);
  const own = all.find(({ id }) => id === known) ?? all[0];
  if (!own) return (await canvass.events.subscribe({ name: subscriptionName() }, options)).id;
  if (own.status !== "active") await canvass.webhooks.update(own.id, { status: "active" }, options);
  return own.id;
}

type Watch = { known: string; signal: AbortSignal; everyMs: number; onRenewed: (id: string) => Promise<void> };

/**
 * Returns a function that ensures the subscription again once the time has passed, since a feed without one stays empty
 * without an error. A retryable failure waits for the next time.
 */
export function watchSubscription(canvass: Canvass, { known, signal, everyMs, onRenewed }: Watch): () => Promise<void> {
  let lookedAt = performance.now();
  return async () => {
    if (performance.now() - lookedAt < everyMs) return;
    const id = await ensureSubscription(canvass, known, { signal }).catch((error: unknown) => {
      if (signal.aborted || (error instanceof CanvassError && error.retryable)) return known;
      throw error;
    });
    lookedAt = performance.now();
    if (id !== known) await onRenewed((known = id));
  };
}

/** Deletes the subscription of this user and machine, and returns whether there was one. */
export async function deleteSubscription(canvass: Canvass): Promise<boolean> {
  const own = await findOwn(canvass);
  for (const { id } of own) await canvass.webhooks.delete(id);
  return own.length > 0;
}
