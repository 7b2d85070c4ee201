import { startLoop, type Loop } from "@canvass/jobs";
import type { DeliveryContext } from "../../context.ts";
import { cancelDeliveries } from "../../storage/cancel-deliveries.ts";
import { findDisableRequests, deleteDisableRequest, type DisableRequest } from "../../storage/disable-requests.ts";
import { despiteFailures } from "./despite-failures.ts";

const BATCH = 100;
/** Attempts nudge the loop. The pause is for requests of dead processes. */
const IDLE_PAUSE_MS = 15_000;

/**
 * Cancels the queues of gone endpoints and makes the webhook service disable their subscriptions (contract 8.5). A
 * request blocks its endpoint until both are done: the webhook service has pushed the new state by then.
 */
export function startDisabling(context: DeliveryContext): Loop {
  const { prisma } = context.database;

  async function settle(request: DisableRequest): Promise<void> {
    await disable(context, request);
    await deleteDisableRequest(prisma, request);
  }

  return startLoop({
    minGapMs: 10,
    round: async (stopping) => {
      let failure: unknown;
      let found: DisableRequest[] = [];
      do {
        found = await findDisableRequests(prisma, { last: found.at(-1), limit: BATCH });
        await despiteFailures(found, settle, stopping).catch((error: unknown) => (failure ??= error));
      } while (found.length === BATCH && !stopping.aborted);
      if (failure !== undefined) throw failure;
      return IDLE_PAUSE_MS;
    },
    onFailure: (error, inARow) => {
      if (inARow === 1) context.log.warn({ err: error }, "subscriptions could not be disabled");
    },
  });
}

/**
 * Cancels the queue of a gone endpoint before it disables the subscription, which then has no queue. Keeps the request.
 * Does neither if the webhook was resumed or got another address since the attempt.
 */
export async function disable(
  { database: { sql }, subscriptions, now }: DeliveryContext,
  request: DisableRequest,
): Promise<void> {
  const { workspaceId, subscriptionId, reason, requestedAt, destinationRevision } = request;
  const cancelling = { because: "gone", createdUntil: requestedAt, now: now(), destinationRevision } as const;
  if (reason === "gone") await cancelDeliveries(sql, request, cancelling);
  await subscriptions.disableSubscription({ workspaceId, subscriptionId, reason, destinationRevision });
}
