import type { Api, Canvass, CursorStore } from "@canvass/sdk";
import type { Attempt } from "./forward-event.ts";
import { deliverEvent } from "./deliver-event.ts";
import { attemptLine, outageLine, recoveryLine } from "./lines.ts";

export type Forwarding = {
  store: CursorStore;
  /** Undefined: events are only shown. */
  forward: string | undefined;
  secret: string;
  types: ReadonlySet<string> | undefined;
  stop: AbortSignal;
  /** Prints a line about what happens. */
  say: (line: string) => void;
  onEvent: (event: Api.FeedEvent) => void;
  /** Runs whenever the feed was read. */
  onPage: () => Promise<void>;
  pollMs: number;
  pauseMs: ((failures: number) => number) | undefined;
};

export type Counts = { delivered: number; passedOver: number };

/** Follows the feed until it is stopped. An event's cursor is kept once it was delivered or passed over. */
export async function followAndForward(canvass: Canvass, options: Forwarding): Promise<Counts> {
  const { store, forward, secret, types, stop, say, onEvent, pollMs, pauseMs } = options;
  const counts: Counts = { delivered: 0, passedOver: 0 };
  let isOut = false;
  const onFailure = (error: Error) => {
    if (!isOut) say(outageLine(error));
    isOut = true;
  };
  const onPage = async () => {
    if (isOut) say(recoveryLine);
    isOut = false;
    await options.onPage();
  };
  const onAttempt = (event: Api.FeedEvent, attempt: Attempt, next: number | undefined) =>
    say(attemptLine(event, attempt, next));
  for await (const event of canvass.events.follow({ store, signal: stop, pollMs, onPage, onFailure })) {
    if (types && !types.has(event.type)) continue;
    onEvent(event);
    if (forward === undefined) continue;
    const outcome = await deliverEvent(event, { forward, secret, stop, onAttempt, pauseMs });
    // Leaving the loop here keeps the cursor before this event.
    if (outcome === "stopped") break;
    counts[outcome === "delivered" ? "delivered" : "passedOver"] += 1;
    if (outcome === "passed over")
      say(`${event.id} is passed over; again: canvass trigger ${event.type} --event ${event.id} --forward ${forward}`);
  }
  return counts;
}
