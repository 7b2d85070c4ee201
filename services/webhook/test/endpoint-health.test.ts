import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { startWebhookSystem } from "./webhook-system.ts";

test("reports lock their rows in one order, whatever their own, so that several never wait for each other", async () => {
  await using system = await startWebhookSystem();
  const reports = [];
  for (const workspaceId of ["b", "a"]) {
    const hook = { name: "Hook", url: "https://example.com/1" };
    const { subscription } = await system.subscriptions.createSubscription(hook, system.as(workspaceId));
    reports.push({ workspaceId, subscriptionId: subscription!.subscriptionId, consecutiveFailures: 7 });
  }
  const holder = await system.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM subscriptions WHERE workspace_id = 'b' FOR UPDATE");
  const reported = system.subscriptions.batchReportEndpointHealth({ reports });
  const free = () => system.sql("SELECT 1 FROM subscriptions WHERE workspace_id = 'a' FOR UPDATE SKIP LOCKED");
  await waitFor(async () => (await free()).length === 0, { describe: "a's row locked before b's" });
  await holder.query("COMMIT");
  holder.release();
  await reported;
  const rows = await system.sql("SELECT consecutive_failures FROM subscriptions");
  expect(rows).toEqual([{ consecutive_failures: 7 }, { consecutive_failures: 7 }]);
});
