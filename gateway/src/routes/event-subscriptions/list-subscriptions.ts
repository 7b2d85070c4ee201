import { mostSubscriptions } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorList, wholePagination } from "../pages.ts";
import { subscriptionSchema, subscriptionView } from "./subscription-view.ts";

export function registerListSubscriptionsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/event-subscriptions",
    {
      config: { scope: "events:read", limit: "listSubscriptions" },
      schema: {
        operationId: "listSubscriptions",
        tags: ["Events"],
        summary: "List event subscriptions",
        response: {
          200: cursorList(`All subscriptions of the workspace, at most ${mostSubscriptions}`, subscriptionSchema),
        },
      },
    },
    async (request, reply) => {
      const { subscriptions } = await context.clients.subscriptions.listSubscriptions({}, rpcOptions(context, request));
      return respond(context, reply, { data: subscriptions.map(subscriptionView), pagination: wholePagination });
    },
  );
}
