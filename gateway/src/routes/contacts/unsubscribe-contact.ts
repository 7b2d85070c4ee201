import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { contactParams, contactSchema, contactView } from "./contact-view.ts";

export function registerUnsubscribeContactRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/contacts/:contactId/unsubscribe",
    {
      config: {
        scope: "contacts:write",
        idempotent: true,
        etag: true,
        errors: ["contact_not_found", "already_anonymized"],
      },
      schema: {
        operationId: "unsubscribeContact",
        tags: ["Contacts"],
        summary: "Unsubscribe a contact",
        description: "Repeating it changes nothing.",
        params: contactParams,
        response: { 200: envelope("The updated contact", contactSchema) },
      },
    },
    async (request, reply) => {
      const response = await context.clients.contacts.unsubscribeContact(request.params, rpcOptions(context, request));
      const contact = requireMessage(response.contact);
      return respond(context, reply, { data: contactView(contact), etag: contact.etag });
    },
  );
}
