import { cursorQuery } from "@canvass/inputs";
import type { FeedEvent } from "@canvass/proto/webhook";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { shownAs } from "../schemas.ts";

const query = cursorQuery({});

export function registerListEventsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/events",
    {
      config: { scope: "events:read", limit: "listEvents", errors: ["feature_locked"] },
      schema: {
        operationId: "listEvents",
        tags: ["Events"],
        summary: "Read the event feed",
        description:
          "Oldest first. Send `cursor_next` as `cursor` to get the next page: at once while `hasMore` is true, otherwise after a short pause.",
        querystring: query,
        response: { 200: cursorList("A page of events", shownAs("FeedEvent")) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = "" } = request.query;
      const page = await context.clients.feed.listEvents({ limit, cursor }, rpcOptions(context, request));
      return respond(context, reply, { data: page.events.map(eventView), pagination: cursorPagination(page) });
    },
  );
}

function eventView({ eventId, type, timestamp, dataJson, cursor }: FeedEvent) {
  return { id: eventId, type, timestamp, data: JSON.parse(dataJson) as object, cursor };
}
