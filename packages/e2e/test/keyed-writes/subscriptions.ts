import { countAudited } from "./count-audited.ts";
import type { KeyedOperation } from "./keyed-operation.ts";

/** Writes of event subscriptions. */
export const subscriptionWrites: KeyedOperation[] = [
  {
    name: "patching a subscription",
    service: "webhook",
    async prepare({ api }) {
      const { data } = await api.post("/event-subscriptions", { name: "to pause" });
      return {
        method: "PATCH",
        path: `/event-subscriptions/${data.id}`,
        body: { status: "paused" },
        invalidBody: { status: "disabled" },
        effects: async () => ({ audited: await countAudited(api, "subscription.updated", data.id) }),
      };
    },
  },
  {
    name: "deleting a subscription",
    service: "webhook",
    async prepare({ api }) {
      const { data } = await api.post("/event-subscriptions", { name: "to delete" });
      return {
        method: "DELETE",
        path: `/event-subscriptions/${data.id}`,
        invalidBody: { unexpected: true },
        effects: async () => ({ audited: await countAudited(api, "subscription.deleted", data.id) }),
      };
    },
  },
];
