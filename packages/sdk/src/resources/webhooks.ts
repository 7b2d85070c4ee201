import type {
  CreateSubscriptionRequest,
  ListDeliveriesData,
  RedeliverRangeRequest,
  UpdateSubscriptionRequest,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { ListFilters } from "../lists/list-filters.ts";
import { listItems } from "../lists/list-items.ts";
import type { RequestOptions, WriteOptions } from "../options.ts";
import { verifyWebhook } from "../webhooks/verify-webhook.ts";

type NewWebhook = CreateSubscriptionRequest & { url: string };

/** Webhooks: subscriptions with a `url`. */
export function webhooksOf({ api, sending }: Connection) {
  const at = (subscriptionId: string, options?: WriteOptions) => ({ path: { subscriptionId }, ...sending(options) });
  return {
    verify: verifyWebhook,
    /** Creates a webhook. Its secret is shown in this result only. */
    create: async (body: NewWebhook, options?: RequestOptions) =>
      (await api.createSubscription({ body, ...sending(options) })).data.data,
    list: async (options?: RequestOptions) => (await api.listSubscriptions(sending(options))).data.data,
    get: async (webhookId: string, options?: RequestOptions) =>
      (await api.getSubscription(at(webhookId, options))).data.data,
    update: async (webhookId: string, body: UpdateSubscriptionRequest, options?: WriteOptions) =>
      (await api.updateSubscription({ body, ...at(webhookId, options) })).data.data,
    delete: async (webhookId: string, options?: WriteOptions): Promise<void> =>
      void (await api.deleteSubscription(at(webhookId, options))),
    /** Replaces the secret. Both sign for 24 hours; the new one is shown in this result only. */
    rotateSecret: async (webhookId: string, options?: RequestOptions) =>
      (await api.rotateSecret(at(webhookId, options))).data.data,
    /** Sends one `webhook.test` now, and returns the receiver's response. */
    test: async (webhookId: string, options?: WriteOptions) =>
      (await api.testSubscription(at(webhookId, options))).data.data,
    deliveries: (webhookId: string, filters: ListFilters<ListDeliveriesData> = {}, options: RequestOptions = {}) =>
      listItems(
        async (cursor) => api.listDeliveries({ ...at(webhookId, options), query: { ...filters, cursor } }),
        options.signal,
      ),
    /** Queues one delivery again, under the same `webhook-id`. */
    redeliver: async (webhookId: string, deliveryId: string, options?: WriteOptions) =>
      (
        await api.redeliverDelivery({
          path: { subscriptionId: webhookId, deliveryId },
          ...sending(options),
        })
      ).data.data,
    /** Queues the events of a time again whose newest delivery failed, or has the given status. */
    redeliverRange: async (webhookId: string, body: RedeliverRangeRequest, options?: WriteOptions) =>
      (await api.redeliverRange({ body, ...at(webhookId, options) })).data.data,
  };
}
