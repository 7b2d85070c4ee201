import type { EndpointRef } from "../storage/claim-deliveries.ts";
import { createLane, endpointKey, isSupplied, laneRoom, type EndpointLane } from "./endpoint-lane.ts";

export interface LaneTable {
  laneOf: (endpoint: EndpointRef) => EndpointLane;
  all: () => Iterable<EndpointLane>;
  /** Lanes that claims skip. */
  busy: () => EndpointRef[];
  /** A claim is about to tell which of the lanes that are not busy have more. */
  expectClaim: () => void;
  roomOf: (endpoint: EndpointRef) => number;
}

const MAX_LANES = 5000;

export function createLaneTable(maxPerEndpoint: number): LaneTable {
  const lanes = new Map<string, EndpointLane>();
  const newLane = createLane({ workspaceId: "", subscriptionId: "" }, maxPerEndpoint);

  function forgetIdle(): void {
    for (const [key, lane] of lanes) {
      if (lane.running + lane.reserved + lane.waiting.length === 0) lanes.delete(key);
    }
  }

  return {
    laneOf(ref) {
      const key = endpointKey(ref);
      const lane = lanes.get(key) ?? createLane(ref, maxPerEndpoint);
      lanes.set(key, lane);
      return lane;
    },
    all: () => lanes.values(),
    busy() {
      // Learned limits are worth keeping, but not thousands of lanes.
      if (lanes.size > MAX_LANES) forgetIdle();
      return [...lanes.values()].filter(isSupplied);
    },
    expectClaim() {
      for (const lane of lanes.values()) if (!isSupplied(lane)) lane.more = false;
    },
    roomOf: (endpoint) => laneRoom(lanes.get(endpointKey(endpoint)) ?? newLane),
  };
}
