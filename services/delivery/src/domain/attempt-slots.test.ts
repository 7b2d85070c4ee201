import { expect, test } from "vitest";
import { createAttemptSlots, type AttemptSlots } from "./attempt-slots.ts";

/** Takes all the slots that a workspace gets. */
function fill(slots: AttemptSlots, workspaceId: string): number {
  let taken = 0;
  for (; slots.hasCapacity(workspaceId); taken += 1) slots.take(workspaceId);
  return taken;
}

test("one workspace gets half of the slots, a second half of the rest, and so on; each gets one while any is free", () => {
  const slots = createAttemptSlots(1000);
  expect(["a", "b", "c", "d"].map((workspaceId) => fill(slots, workspaceId))).toEqual([500, 250, 125, 63]);
  expect(slots.withoutCapacity()).toEqual(["a", "b", "c", "d"]);
  expect([slots.full, slots.hasCapacity("e")]).toEqual([false, true]);
  const single = createAttemptSlots(1);
  expect([fill(single, "a"), single.full, single.hasCapacity("b")]).toEqual([1, true, false]);
});

test("slots that come back are anybody's, in equal parts for those that always want more", () => {
  const slots = createAttemptSlots(600);
  const workspaces = ["a", "b", "c", "d", "e"];
  const held = new Map(workspaces.map((workspaceId) => [workspaceId, fill(slots, workspaceId)]));
  for (let round = 0; round < 5000; round += 1) {
    const workspaceId = workspaces[round % 5]!;
    if (held.get(workspaceId) === 0) continue;
    slots.release(workspaceId);
    held.set(workspaceId, held.get(workspaceId)! - 1);
    const next = workspaces[(round + 1) % 5]!;
    held.set(next, held.get(next)! + fill(slots, next));
  }
  for (const count of held.values()) expect(Math.abs(count - 100)).toBeLessThanOrEqual(1);
});
