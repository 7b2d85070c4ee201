import type { Api } from "@canvass/sdk";
import type { Session } from "../define-command.ts";
import { ensureSubscription, watchSubscription } from "./feed-subscription.ts";
import { cursorBefore, takesCursor } from "./find-start.ts";
import { followAndForward, type Counts } from "./follow-and-forward.ts";
import { renewedLine } from "./lines.ts";
import { readState, writeState, type ListenerState } from "./listener-state.ts";
import { lockListener } from "./lock-listener.ts";
import { untilReached } from "./until-reached.ts";

export type ListenWish = {
  /** Undefined: events are only shown. */
  forward: string | undefined;
  types: ReadonlySet<string> | undefined;
  /**
   * Start with the first event since this time. Undefined: where the last run ended; the first run starts with new
   * events.
   */
  since: number | undefined;
  say: (line: string) => void;
  onEvent: (event: Api.FeedEvent) => void;
  pollMs?: number;
  pauseMs?: (failures: number) => number;
  /** Least milliseconds between two looks whether the subscription is there. */
  watchMs?: number;
};

/** Forwards the feed's events until it is stopped. Throws OperationalError if another process does so already. */
export async function listenUntil(stop: AbortSignal, session: Session, wish: ListenWish): Promise<Counts> {
  const { env, profile, progress } = session;
  const { forward, types, since, say, onEvent, pollMs = 1_000, pauseMs, watchMs = 60_000 } = wish;
  const [{ url }, canvass] = [await session.access(), await session.canvass()];
  const listener = { url, profile, forward: forward ?? "" };
  using _lock = lockListener(env, listener);
  let state = await readState(env, listener);
  const keep = (changes: Partial<ListenerState>) => writeState(env, (state = { ...state, ...changes }));
  // Kept first, so that the secret that is shown stays.
  await keep({});
  try {
    const waiting = { signal: stop, say, pollMs };
    const ensure = () => ensureSubscription(canvass, state.subscriptionId, { signal: stop });
    const subscriptionId = await untilReached(ensure, waiting);
    const { subscriptionId: former, cursor: last } = state;
    const goesOn = async () => last === null || (await untilReached(() => takesCursor(canvass, last, stop), waiting));
    if (since !== undefined || former === null || (former !== subscriptionId && !(await goesOn()))) {
      progress("looking for the place to begin in the feed");
      const cursor = await untilReached(() => cursorBefore(canvass, since ?? Infinity, stop), waiting);
      await keep({ subscriptionId, cursor });
      progress(undefined);
    } else if (former !== subscriptionId) {
      await keep({ subscriptionId });
      say(renewedLine);
    }
  } catch (error) {
    if (stop.aborted) return { delivered: 0, passedOver: 0 };
    throw error;
  }
  if (forward !== undefined) {
    say(`Forwarding the events of ${url} to ${forward}. Ctrl-C ends it; the next start goes on behind the last event.`);
    say(`The signing secret is ${state.secret}: the same at every start.`);
  }
  const store = { load: () => state.cursor ?? undefined, save: (cursor: string) => keep({ cursor }) };
  const { secret } = state;
  const onPage = watchSubscription(canvass, {
    known: state.subscriptionId!,
    signal: stop,
    everyMs: watchMs,
    onRenewed: async (subscriptionId) => {
      await keep({ subscriptionId });
      say(renewedLine);
    },
  });
  // Awaited here, so that the lock is held until then.
  return await followAndForward(canvass, {
    store,
    forward,
    secret,
    types,
    stop,
    say,
    onEvent,
    onPage,
    pollMs,
    pauseMs,
  });
}
