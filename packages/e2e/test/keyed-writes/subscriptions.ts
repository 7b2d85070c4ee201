import type { ApiClient } from "../../src/index.ts";
import { auditedWrite } from "./audited-write.ts";

/** Writes of event subscriptions. */
export const subscriptionWrites = [
  auditedWrite("patching a subscription", "webhook", "subscription.updated", async ({ api }) => ({
    ...(await newSubscription(api)),
    method: "PATCH",
    body: { status: "paused" },
    invalidBody: { status: "disabled" },
  })),
  auditedWrite("deleting a subscription", "webhook", "subscription.deleted", async ({ api }) => ({
    ...(await newSubscription(api)),
    method: "DELETE",
    invalidBody: { unexpected: true },
  })),
];

async function newSubscription(api: ApiClient): Promise<{ resource: string; path: string }> {
  const { data } = await api.post("/event-subscriptions", { name: "to change" });
  return { resource: data.id, path: `/event-subscriptions/${data.id}` };
}
