import type { Call } from "@canvass/rpc";
import { expect, test } from "vitest";
import { createLeaseWaits } from "./lease-waits.ts";

const call = (workspaceId: string, key?: string) =>
  ({ caller: { workspaceId }, idempotency: key && { scope: "PATCH", key } }) as unknown as Call;

/** Whether it needs a timer: what does not has ended before the event loop turns. */
async function isLong(wait: Promise<void>): Promise<boolean> {
  let ended = false;
  const settled = wait.then(() => (ended = true));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const long = !ended;
  await settled;
  return long;
}

test("a process that did not wait for a change's leases itself waits before it repeats the answer, once", async () => {
  const [one, other] = [createLeaseWaits(), createLeaseWaits()];
  expect(await isLong(one.afterChange(call("w", "k")))).toBe(true);
  expect(await isLong(one.beforeReplay(call("w", "k")))).toBe(false);
  expect(await isLong(other.beforeReplay(call("w", "k")))).toBe(true);
  expect(await isLong(other.beforeReplay(call("w", "k")))).toBe(false);
  expect(await isLong(one.beforeReplay(call("w2", "k")))).toBe(true);
  // The key may name a new change a day later.
  expect(await isLong(one.afterChange(call("w", "k")))).toBe(true);
});
