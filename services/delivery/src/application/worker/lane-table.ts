import type { EndpointRef } from "../../storage/claimed-delivery.ts";
import { claimRoom, createLane, endpointKey, isSupplied, type EndpointLane } from "./endpoint-lane.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";

export interface LaneTable {
  laneOf: (endpoint: EndpointRef) => EndpointLane;
  all: () => Iterable<EndpointLane>;
  /** What its lane goes by; undefined while nothing is under way there, so that a changed webhook is asked for first. */
  answerOf: (endpoint: EndpointRef) => EndpointAnswer | undefined;
  /** Lanes that claims skip. */
  busy: () => EndpointRef[];
  /** A claim is about to tell which of the lanes that are not busy have more. */
  expectClaim: () => void;
  /** For one claim: what each endpoint has room for, asked once of each. */
  rooms: () => (endpoint: EndpointRef) => number;
}

const MAX_LANES = 5000;
/** Deliveries in lanes that wait for the starts of unsure endpoints: of more than these many leases would end before. */
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
      // Learned limits are worth keeping, but not thousands of lanes.
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
        // Each has at least its next one.
        const given = Math.min(room, Math.max(left, 1));
        left -= given;
        return given;
      };
    },
  };
}
