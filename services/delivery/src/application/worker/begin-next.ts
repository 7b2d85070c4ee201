import { newId } from "@canvass/values";
import { createBatcher } from "@canvass/rpc";
import type { DeliveryContext } from "../../context.ts";
import { beginDue, type BegunDelivery } from "../../storage/begin-due.ts";
import { endpointKey, type EndpointLane } from "./endpoint-lane.ts";
import { LEASE_MS } from "./make-attempt.ts";

const MAX_BATCH = 500;
const GATHER = { ms: 3, enough: 25 };

/** Undefined: none is due, or an error. After an error, begun attempts count once their lease ends. Never rejects. */
export function createBeginNext({ database, now, log }: DeliveryContext) {
  return createBatcher<EndpointLane, BegunDelivery | undefined>({
    maxSize: MAX_BATCH,
    maxInFlight: 1,
    gather: GATHER,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (lanes) => {
      const at = now();
      const wanted = [...Map.groupBy(lanes, (lane) => lane)].map(([lane, { length }]) => ({ lane, count: length }));
      const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
      try {
        const rows = await beginDue(
          database.hot.sql,
          wanted.map(({ lane: { workspaceId, subscriptionId, plannedFrom }, count }) => {
            return { workspaceId, subscriptionId, plannedFrom, count };
          }),
          lease,
          at,
        );
        const begun = Map.groupBy(rows, endpointKey);
        for (const { lane } of wanted) goOn(lane, begun.get(endpointKey(lane)));
        return lanes.map((lane) => begun.get(endpointKey(lane))?.shift());
      } catch (error) {
        log.warn({ err: error, deliveries: lanes.length }, "attempts could not be begun");
        return lanes.map(() => undefined);
      }
    },
  });
}

function goOn(lane: EndpointLane, begun: readonly BegunDelivery[] = []): void {
  if (begun.length > 0) lane.plannedFrom = new Date(Math.min(...begun.map(({ plannedAt }) => plannedAt)));
}
