import type { Subscription } from "@canvass/proto/webhook";
import { callOptions, type Call } from "@canvass/rpc";
import type { DeliveryContext } from "../context.ts";

export async function fetchSubscription(
  { subscriptions }: Pick<DeliveryContext, "subscriptions">,
  subscriptionId: string,
  { signedCaller, requestId, traceparent, timeoutMs, signal }: Call,
): Promise<Subscription> {
  const options = callOptions({ signedCaller, requestId, traceparent, timeoutMs, signal });
  return (await subscriptions.getSubscription({ subscriptionId }, options)).subscription!;
}
