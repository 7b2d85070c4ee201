import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { createSubscription } from "./create-subscription.ts";
import { deleteSubscription } from "./delete-subscription.ts";
import { getSubscription } from "./get-subscription.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listSubscriptions } from "./list-subscriptions.ts";

/** Event subscriptions and their deliveries (contract 8). */
export function subscriptionRoutes(api: Api, context: GatewayContext): void {
  listSubscriptions(api, context);
  createSubscription(api, context);
  getSubscription(api, context);
  deleteSubscription(api, context);
  listDeliveries(api, context);
}
