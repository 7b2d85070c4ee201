import { expect, test } from "vitest";
import { createAttemptPlaces, type AttemptPlaces } from "./attempt-places.ts";

/** Takes all the slots that a workspace gets. */
function fill(places: AttemptPlaces, workspaceId: string): number {
  let taken = 0;
  for (; places.hasRoom(workspaceId); taken += 1) places.take(workspaceId);
  return taken;
}

test("one workspace gets half of the places, a second half of the rest, and so on; each gets one while any is free", () => {
  const places = createAttemptPlaces(1000);
  expect(["a", "b", "c", "d"].map((workspaceId) => fill(places, workspaceId))).toEqual([500, 250, 125, 63]);
  expect(places.withoutRoom()).toEqual(["a", "b", "c", "d"]);
  expect([places.full, places.hasRoom("e")]).toEqual([false, true]);
  const single = createAttemptPlaces(1);
  expect([fill(single, "a"), single.full, single.hasRoom("b")]).toEqual([1, true, false]);
});

test("places that come back are anybody's, in equal parts for those that always want more", () => {
  const places = createAttemptPlaces(600);
  const workspaces = ["a", "b", "c", "d", "e"];
  const held = new Map(workspaces.map((workspaceId) => [workspaceId, fill(places, workspaceId)]));
  for (let turn = 0; turn < 5000; turn += 1) {
    const workspaceId = workspaces[turn % 5]!;
    if (held.get(workspaceId) === 0) continue;
    places.giveBack(workspaceId);
    held.set(workspaceId, held.get(workspaceId)! - 1);
    const next = workspaces[(turn + 1) % 5]!;
    held.set(next, held.get(next)! + fill(places, next));
  }
  for (const count of held.values()) expect(Math.abs(count - 100)).toBeLessThanOrEqual(1);
});
