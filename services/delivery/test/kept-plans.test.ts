import { completion, looseLookUps, recordHotStatements } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startDeliverySystem } from "./delivery-system.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

test("soon after empty tables were filled, hot statements find rows by whole keys, except for the scans listed here", async () => {
  using hot = recordHotStatements();
  await using system = await startDeliverySystem();
  const endpoint = system.addEndpoint();
  // More than are sent at once: some are begun apart from their queueing.
  await system.publishCompletion(endpoint, 50);
  await system.waitForDeliveries(endpoint, "delivered", 1);
  await system.change(endpoint, { status: "paused" });
  for (let i = 0; i < 40; i += 1) {
    await system.queue(endpoint, completion(endpoint.workspaceId, system.clock.now()));
  }
  // What waits is begun by its queue once the webhook answers.
  await system.change(endpoint, { status: "active" });
  await system.waitForDeliveries(endpoint, "delivered", 1);
  const begun = () => [...hot.texts].some((text) => text.includes("planned_from"));
  await waitFor(begun, { describe: "a queue that begins what is due" });
  expect(await looseLookUps(migrations, hot.texts)).toEqual([
    "due_deliveries by due_deliveries_scheduled_idx (workspace_id, subscription_id)",
    // All before a moment.
    "endpoint_queues by endpoint_queues_next_due_at_idx ()",
    // Those that end later.
    "listening_intervals by listening_intervals_ends (workspace_id)",
    // The last one before a moment.
    "plan_changes by plan_changes_pkey (workspace_id)",
  ]);
});
