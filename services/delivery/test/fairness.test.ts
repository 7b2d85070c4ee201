import { waitFor } from "@canvass/testing";
import { afterEach, expect, test } from "vitest";
import { startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";

let system: DeliverySystem;
const held = Promise.withResolvers<number>();

afterEach(async () => {
  held.resolve(200);
  await system[Symbol.asyncDispose]();
});

test("while every endpoint of other workspaces hangs and could fill all slots, a workspace gets its deliveries", async () => {
  const environment = { CANVASS_WEBHOOK_CONCURRENCY: "40" };
  system = await startDeliverySystem({ environment, overrides: { sender: { budgetMs: 600_000 } } });
  const [first, second] = [system.addEndpoint(), system.addEndpoint()];
  const crowd = [
    first,
    ...Array.from({ length: 9 }, () => system.addEndpoint({ workspaceId: first.workspaceId })),
    second,
  ];
  const quick = system.addEndpoint();
  system.receiver.answer(({ path }) => (quick.url.endsWith(path) ? 200 : held.promise));
  const unresponsive = () => crowd.reduce((sum, endpoint) => sum + system.receivedBy(endpoint).length, 0);
  await system.publishCompletion(first, 30);
  await waitFor(() => unresponsive() === 20, { describe: "half of the slots" });
  await system.publishCompletion(second, 30);
  await waitFor(() => unresponsive() === 30, { describe: "half of the rest" });

  // Many at once, and then one after the other.
  await system.publishCompletion(quick, 50);
  await system.waitForDeliveries(quick, "delivered", 1);
  for (let sent = 0; sent < 5; sent += 1) {
    await system.publishCompletion(quick, 1);
    await system.waitForDeliveries(quick, "delivered", 1);
  }
  expect(system.receivedBy(quick)).toHaveLength(55);
  expect(unresponsive()).toBe(30);
  expect(await system.sql("SELECT 1 FROM attempts WHERE subscription_id <> $1", [quick.subscriptionId])).toEqual([]);
});
