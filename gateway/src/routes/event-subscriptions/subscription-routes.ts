import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerCreateSubscriptionRoute } from "./create-subscription.ts";
import { registerDeleteSubscriptionRoute } from "./delete-subscription.ts";
import { registerGetSubscriptionRoute } from "./get-subscription.ts";
import { registerListDeliveriesRoute } from "./list-deliveries.ts";
import { registerListSubscriptionsRoute } from "./list-subscriptions.ts";
import { registerRedeliverDeliveryRoute } from "./redeliver-delivery.ts";
import { registerRedeliverRangeRoute } from "./redeliver-range.ts";
import { registerRotateSecretRoute } from "./rotate-secret.ts";
import { registerSendTestRoute } from "./send-test.ts";
import { registerUpdateSubscriptionRoute } from "./update-subscription.ts";

/** Event subscriptions and their deliveries (contract 8). */
export function registerSubscriptionRoutes(api: Api, context: GatewayContext): void {
  registerListSubscriptionsRoute(api, context);
  registerCreateSubscriptionRoute(api, context);
  registerGetSubscriptionRoute(api, context);
  registerUpdateSubscriptionRoute(api, context);
  registerDeleteSubscriptionRoute(api, context);
  registerRotateSecretRoute(api, context);
  registerListDeliveriesRoute(api, context);
  registerSendTestRoute(api, context);
  registerRedeliverRangeRoute(api, context);
  registerRedeliverDeliveryRoute(api, context);
}
