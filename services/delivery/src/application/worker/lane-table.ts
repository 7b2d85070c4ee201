import type { EndpointRef } from "../../storage/claimed-delivery.ts";
import { claimRoom, createLane, endpointKey, isSupplied, type EndpointLane } from "./endpoint-lane.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";

export interface LaneTable {
  laneOf: (endpoint: EndpointRef) => EndpointLane;
  all: () => Iterable<EndpointLane>;
  /** Undefined if the lane has no attempt in flight: its lookup may be outdated. */
  answerOf: (endpoint: EndpointRef) => EndpointAnswer | undefined;
  /** Lanes that claims skip. */
  busy: () => EndpointRef[];
  /** Resets `more` of the lanes that the next claim may serve, because the claim sets it again. */
  expectClaim: () => void;
  /** Returns each endpoint's capacity for one claim. Call the function once per endpoint. */
  rooms: () => (endpoint: EndpointRef) => number;
}

const MAX_LANES = 5000;
/** Most waiting deliveries of endpoints that are not known to be quick: the leases of more would expire. */
const UNSURE_AHEAD = 100;

export function createLaneTable(maxPerEndpoint: number): LaneTable {
  const lanes = new Map<string, EndpointLane>();
  const newLane = createLane({ workspaceId: "", subscriptionId: "" }, maxPerEndpoint);

  function forgetIdle(): void {
    for (const [key, lane] of lanes) {
      if (lane.running + lane.reserved + lane.waiting.length === 0) lanes.delete(key);
    }
  }

  function unsureLeft(): number {
    let left = UNSURE_AHEAD;
    for (const { limit, waiting } of lanes.values()) if (!limit.sure) left -= waiting.length;
    return left;
  }

  return {
    laneOf(ref) {
      const key = endpointKey(ref);
      const lane = lanes.get(key) ?? createLane(ref, maxPerEndpoint);
      lanes.set(key, lane);
      return lane;
    },
    all: () => lanes.values(),
    answerOf(endpoint) {
      const lane = lanes.get(endpointKey(endpoint));
      return lane && lane.running > 0 ? lane.answer : undefined;
    },
    busy() {
      // Keeps the learned limits of idle lanes, but not of thousands of them.
      if (lanes.size > MAX_LANES) forgetIdle();
      const full = unsureLeft() <= 0;
      return [...lanes.values()].filter(
        (lane) => isSupplied(lane) || (full && !lane.limit.sure && lane.waiting.length > 0),
      );
    },
    expectClaim() {
      for (const lane of lanes.values()) if (!isSupplied(lane)) lane.more = false;
    },
    rooms() {
      let left = unsureLeft();
      return (endpoint) => {
        const lane = lanes.get(endpointKey(endpoint)) ?? newLane;
        const room = claimRoom(lane);
        if (lane.limit.sure) return room;
        const given = Math.min(room, Math.max(left, 1));
        left -= given;
        return given;
      };
    },
  };
}
