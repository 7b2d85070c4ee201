import { expect, test } from "vitest";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { createLaneTable } from "./lane-table.ts";

const ref = (index: number) => ({ workspaceId: `w${index % 30}`, subscriptionId: `s${index}` });
const deliveries = (count: number) => Array.from({ length: count }, () => ({}) as ClaimedDelivery);

test("hundreds of endpoints that are not known lease together about what may begin soon, one of each at least", () => {
  const table = createLaneTable(50);
  let leased = 0;
  // Claims fifty endpoints at a time until all are supplied.
  for (let round = 0; round < 100; round += 1) {
    const busy = new Set(table.busy().map(({ subscriptionId }) => subscriptionId));
    const endpoints = Array.from({ length: 220 }, (_, index) => ref(index)).filter(
      ({ subscriptionId }) => !busy.has(subscriptionId),
    );
    if (endpoints.length === 0) break;
    const roomOf = table.rooms();
    for (const endpoint of endpoints.slice(0, 50)) {
      const room = roomOf(endpoint);
      expect(room).toBeGreaterThanOrEqual(1);
      table.laneOf(endpoint).waiting.push(...deliveries(room));
      leased += room;
    }
  }
  expect(table.busy()).toHaveLength(220);
  expect(leased).toBeLessThanOrEqual(100 + 220);
});

test("an endpoint is given what it has free places for, and asks for more itself once it answers quickly", () => {
  const table = createLaneTable(50);
  expect(table.rooms()(ref(1))).toBe(10);
  const lane = table.laneOf(ref(1));
  lane.more = true;
  expect(table.busy()).toEqual([]);
  lane.limit.observe(5, true);
  expect(table.rooms()(ref(1))).toBe(11);
  expect(table.busy()).toEqual([lane]);
});
