import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListSubscriptionsRequest, ListSubscriptionsResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { findSubscriptions } from "../storage/subscriptions.ts";
import { subscriptionMessage } from "./subscription-message.ts";

/** Returns all subscriptions, at most twenty. Works on every plan (contract 4.10). */
export async function listSubscriptions(
  { database }: WebhookContext,
  _request: ListSubscriptionsRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof ListSubscriptionsResponseSchema>> {
  const subscriptions = await findSubscriptions(database.prisma, caller.workspaceId);
  return { subscriptions: subscriptions.map(subscriptionMessage) };
}
