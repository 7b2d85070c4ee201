import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { contactParams, contactSchema, contactView } from "./contact-view.ts";

export function registerGetContactRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/contacts/:contactId",
    {
      config: { scope: "contacts:read", etag: true, errors: ["contact_not_found"] },
      schema: {
        operationId: "getContact",
        tags: ["Contacts"],
        summary: "Get a contact",
        params: contactParams,
        response: { 200: envelope("The contact", contactSchema) },
      },
    },
    async (request, reply) => {
      const response = await context.clients.contacts.getContact(request.params, rpcOptions(context, request));
      const contact = requireMessage(response.contact);
      return respond(context, reply, { data: contactView(contact), etag: contact.etag });
    },
  );
}
