import { describe } from "vitest";
import { shareSystem } from "./shared-system.ts";
import { retryEvery } from "./webhook-scene.ts";
import { deliveries } from "./webhooks/deliveries.ts";
import { planWithoutWebhooks } from "./webhooks/plan-without-webhooks.ts";
import { reportedOutcomes } from "./webhooks/reported-outcomes.ts";

// A failed delivery stays pending during a test.
const shared = await shareSystem({ env: retryEvery(600) });

describe("reported outcomes", () => {
  reportedOutcomes(shared);
});

describe("deliveries", () => {
  deliveries(shared);
});

describe("a plan without webhooks", () => {
  planWithoutWebhooks(shared);
});
