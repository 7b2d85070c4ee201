import { AppError } from "@canvass/errors";
import { EventIntakeService, type Event } from "@canvass/proto/events";
import type { RpcClient } from "@canvass/rpc";
import type { Shell } from "./shell.ts";

/** Sends a committed `collecting.changed` to the response service. Throws `service_unavailable` if that fails. */
export type PushCollecting = (event: Event) => Promise<void>;

const consumer = "collecting";
const notInEffect =
  "The change is stored and takes effect as soon as the response service has it. Repeated with its key, the request is answered then; without a key, read instead of repeating.";

const notTaken =
  "The change is stored, and the response service cannot take it. Its log tells why. After a database was restored it keeps newer states: see deploy/runbooks/backup-and-restore.md, Restore one service.";

/** Makes a change take effect before the caller gets a response. If that fails, the outbox delivers the event later. */
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
      // A response service of an older version asks at each use, so it needs no push.
      if (err instanceof AppError && err.code === "invalid_request") return;
      message = notInEffect;
      log.warn({ err, eventId: event.eventId }, "a change is not in effect yet");
    }
    throw new AppError("service_unavailable", { part: "response" }, message);
  };
}
