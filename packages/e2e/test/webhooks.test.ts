import { describe } from "vitest";
import { shareSystem } from "./shared-system.ts";
import { retryEvery } from "./webhook-scene.ts";
import { testDeliveries } from "./webhooks/deliveries.ts";
import { testPlanWithoutWebhooks } from "./webhooks/plan-without-webhooks.ts";
import { testReportedOutcomes } from "./webhooks/reported-outcomes.ts";

// A failed delivery stays pending during a test.
const shared = await shareSystem({ env: retryEvery(600) });

describe("reported outcomes", () => {
  testReportedOutcomes(shared);
});

describe("deliveries", () => {
  testDeliveries(shared);
});

describe("a plan without webhooks", () => {
  testPlanWithoutWebhooks(shared);
});
