import { AppError } from "@canvass/errors";
import { EventIntakeService, type Event } from "@canvass/proto/events";
import type { RpcClient } from "@canvass/rpc";
import type { Shell } from "./shell.ts";

/** Hands a committed change over to the service that applies it. Throws `service_unavailable` if that fails. */
export type PushChange = (event: Event) => Promise<void>;

export interface PushTarget {
  /** As the event catalogue names it. */
  consumer: string;
  /** Name of the service in messages. */
  part: string;
}

type Intake = Pick<RpcClient<typeof EventIntakeService>, "handOverEvents">;

/** Throws `service_unavailable` if the service does not take changes now. Writes nothing. */
export async function requireTarget(client: Intake, { consumer, part }: PushTarget): Promise<void> {
  try {
    await client.handOverEvents({ consumer, events: [] });
  } catch (err) {
    if (!isOlder(err)) throw new AppError("service_unavailable", { part });
  }
}

/** A service of an older version requests the state at each use, so it needs no push. */
const isOlder = (err: unknown) => err instanceof AppError && err.code === "invalid_request";

/** Makes a change take effect before the caller gets a response. If that fails, the outbox delivers the event later. */
export function createPush(
  client: Intake,
  { consumer, part }: PushTarget,
  log: Shell<unknown, unknown>["log"],
): PushChange {
  const notInEffect = `The change is stored and takes effect as soon as the ${part} service has it. Repeated with its key, the request is answered then; without a key, read instead of repeating.`;
  const notTaken = `The change is stored, and the ${part} service cannot take it. Its log tells why. After a database was restored it keeps newer states: see deploy/runbooks/backup-and-restore.md, Restore one service.`;
  return async (event) => {
    let message = notTaken;
    try {
      const { storedEventIds } = await client.handOverEvents({ consumer, events: [event] });
      if (storedEventIds.includes(event.eventId)) return;
    } catch (err) {
      if (isOlder(err)) return;
      message = notInEffect;
      log.warn({ err, eventId: event.eventId }, "a change is not in effect yet");
    }
    throw new AppError("service_unavailable", { part }, message);
  };
}
