import { issuedLinksQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { distributorParams } from "./distributor-view.ts";
import { issuedLinkSchema, issuedLinkView } from "./issued-link-view.ts";
import { linkUrlBuilder } from "./link-url-builder.ts";

export function registerListIssuedLinksRoute(api: Api, context: GatewayContext): void {
  const urlOf = linkUrlBuilder(context);
  api.get(
    "/distribution/:distributorId/links",
    {
      config: { scope: "distribution:read", errors: ["distributor_not_found"] },
      schema: {
        operationId: "listIssuedLinks",
        tags: ["Distribution"],
        summary: "List single-use or personal links",
        description: "Oldest first. Empty for a distributor with one URL for everybody.",
        params: distributorParams,
        querystring: issuedLinksQuery,
        response: { 200: cursorList("A page of links", issuedLinkSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = "" } = request.query;
      const wanted = { distributorId: request.params.distributorId, limit, cursor };
      const page = await context.clients.distributors.listIssuedLinks(wanted, rpcOptions(context, request));
      const data = page.links.map((link) => issuedLinkView(link, urlOf));
      return respond(context, reply, { data, pagination: cursorPagination(page) });
    },
  );
}
