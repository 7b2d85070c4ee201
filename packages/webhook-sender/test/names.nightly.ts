import { expect, test } from "vitest";
import { createWebhookSender } from "../src/index.ts";
import { createResolveHost } from "../src/resolve-host.ts";
import { startNameServer } from "./name-server.ts";

test("a name whose only server is silent takes no longer than the time limit", async () => {
  await using server = await startNameServer(() => "silent");
  const resolve = createResolveHost([server.address]);
  await using webhooks = createWebhookSender({ resolve, shareLookupsMs: 0, budgetMs: 300 });
  const message = {
    url: "https://hooks.example/",
    webhookId: "evt1",
    timestamp: 1_772_366_400,
    body: "{}",
    secrets: [],
  };
  const { outcome, durationMs } = await webhooks.send(message);
  expect(outcome).toBe("connection_error");
  expect(durationMs).toBeGreaterThanOrEqual(290);
  expect(durationMs).toBeLessThan(2000);
});
