import { describe } from "vitest";
import { shareSystem } from "./shared-system.ts";
import { retryEvery } from "./webhook-scene.ts";
import { deliveries } from "./webhooks/deliveries.ts";
import { planWithoutWebhooks } from "./webhooks/plan-without-webhooks.ts";
import { toldOutcomes } from "./webhooks/told-outcomes.ts";

// A failed delivery stays pending during a test.
const shared = shareSystem({ env: retryEvery(600) });

describe("told outcomes", () => {
  toldOutcomes(shared);
});

describe("deliveries", () => {
  deliveries(shared);
});

describe("a plan without webhooks", () => {
  planWithoutWebhooks(shared);
});
