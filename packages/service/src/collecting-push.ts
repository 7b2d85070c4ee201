import { AppError } from "@canvass/errors";
import { EventIntakeService, type Event } from "@canvass/proto/events";
import type { RpcClient } from "@canvass/rpc";
import type { Shell } from "./shell.ts";

/** Hands a committed `collecting.changed` over to the response service. Throws `service_unavailable` until it is in effect. */
export type PushCollecting = (event: Event) => Promise<void>;

const consumer = "collecting";
const notInEffect =
  "The change is stored and takes effect as soon as the response service has it. Repeated with its key, the request is answered then; without a key, read instead of repeating.";

const notTaken =
  "The change is stored, and the response service cannot take it. Its log tells why. After a database was restored it keeps newer states: see deploy/runbooks/backup-and-restore.md, Restore one service.";

/**
 * A change of how something collects is answered once the response service has it. Where it cannot be reached, or is too busy
 * to take it, the outbox brings it soon after. What it keeps refusing an operator has to look at.
 */
export function createCollectingPush(
  client: Pick<RpcClient<typeof EventIntakeService>, "handOverEvents">,
  log: Shell<unknown, unknown>["log"],
): PushCollecting {
  return async (event) => {
    let message = notTaken;
    try {
      const { storedEventIds } = await client.handOverEvents({ consumer, events: [event] });
      if (storedEventIds.includes(event.eventId)) return;
    } catch (err) {
      // A process of the version before asks about each use, so it needs no push.
      if (err instanceof AppError && err.code === "invalid_request") return;
      message = notInEffect;
      log.warn({ err, eventId: event.eventId }, "a change is not in effect yet");
    }
    throw new AppError("service_unavailable", { part: "response" }, message);
  };
}
