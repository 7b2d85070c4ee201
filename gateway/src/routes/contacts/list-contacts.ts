import { contactsQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { timestampOf } from "../../plugins/responses/timestamps.ts";
import { contactSchema, contactView } from "./contact-view.ts";

const description = `Newest first. With \`q\`: contacts whose e-mail address, name or last name starts with it, sorted by that text, ignoring case. If a
search has other filters, a page may have fewer items than \`limit\`, even none, while \`hasMore\` is true.`;

export function registerListContactsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/contacts",
    {
      config: { scope: "contacts:read" },
      schema: {
        operationId: "listContacts",
        tags: ["Contacts"],
        summary: "List contacts",
        description,
        querystring: contactsQuery,
        response: { 200: cursorList("A page of contacts", contactSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = "", status, email, externalId, q, from, to } = request.query;
      const page = await context.clients.contacts.listContacts(
        {
          limit,
          cursor,
          ...(status !== undefined && { status }),
          ...(email !== undefined && { email }),
          ...(externalId !== undefined && { externalId }),
          ...(q !== undefined && { query: q }),
          ...(from !== undefined && { from: timestampOf(from) }),
          ...(to !== undefined && { to: timestampOf(to) }),
        },
        rpcOptions(context, request),
      );
      return respond(context, reply, { data: page.contacts.map(contactView), pagination: cursorPagination(page) });
    },
  );
}
