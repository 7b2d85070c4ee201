import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { documentedUpdateContact } from "./contact-input.ts";
import { contactParams, contactSchema, contactView } from "./contact-view.ts";

const description = `Only given fields change; null clears a field. Within \`attributes\`, only given names change, and null removes a name.
\`status\` is \`active\`, \`unsubscribed\` or \`bounced\`.`;

export function registerUpdateContactRoute(api: Api, context: GatewayContext): void {
  api.patch(
    "/contacts/:contactId",
    {
      config: {
        scope: "contacts:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        errors: ["invalid_request", "contact_not_found", "already_anonymized"],
      },
      schema: {
        operationId: "updateContact",
        tags: ["Contacts"],
        summary: "Change a contact",
        description,
        params: contactParams,
        body: documentedUpdateContact,
        response: { 200: envelope("The updated contact", contactSchema) },
      },
    },
    async (request, reply) => {
      const { contactId } = request.params;
      const change = { contactId, ifMatch: ifMatchOf(request), bodyJson: request.bodyText! };
      const response = await context.clients.contacts.updateContact(change, rpcOptions(context, request));
      const contact = requireMessage(response.contact);
      return respond(context, reply, { data: contactView(contact), etag: contact.etag });
    },
  );
}
