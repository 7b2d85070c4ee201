import { newId } from "@canvass/inputs";
import { createBatcher } from "@canvass/rpc";
import type { DeliveryContext } from "../context.ts";
import { beginDue, type BegunDelivery, type DueEndpoint } from "../storage/begin-due.ts";
import { endpointKey, type EndpointLane } from "./endpoint-lane.ts";
import { LEASE_MS } from "./make-attempt.ts";

const MAX_BATCH = 500;
/** A statement costs as much as ten of its rows. */
const GATHER = { ms: 3, enough: 25 };
/** A lane passes its whole queue so often: what came back meanwhile stands in front of what it has just sent. */
const WHOLE_MS = 1000;
const BEGINNING = new Date(0);

/**
 * The next delivery of the lane's queue, leased and marked; batches those of one turn. Undefined when the queue has no more, or
 * the database is away. Never rejects: what was committed although its answer was lost counts when its lease ends, as after a kill.
 */
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
          wanted.map(({ lane, count }) => asked(lane, count, at)),
          lease,
          at,
        );
        const begun = Map.groupBy(rows, endpointKey);
        for (const { lane } of wanted) pass(lane, begun.get(endpointKey(lane)), at);
        return lanes.map((lane) => begun.get(endpointKey(lane))?.shift());
      } catch (error) {
        log.warn({ err: error, deliveries: lanes.length }, "attempts could not be begun");
        return lanes.map(() => undefined);
      }
    },
  });
}

function asked({ workspaceId, subscriptionId, passed }: EndpointLane, count: number, at: Date): DueEndpoint {
  const plannedFrom = passed && at < passed.until ? passed.plannedAt : BEGINNING;
  return { workspaceId, subscriptionId, count, plannedFrom };
}

function pass(lane: EndpointLane, begun: readonly BegunDelivery[] | undefined, at: Date): void {
  if (begun === undefined) return;
  const plannedAt = new Date(Math.min(...begun.map((delivery) => delivery.plannedAt)));
  const until = lane.passed && at < lane.passed.until ? lane.passed.until : new Date(at.getTime() + WHOLE_MS);
  lane.passed = { plannedAt, until };
}
