import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { documentedCreateContact } from "./contact-input.ts";
import { contactSchema, contactView } from "./contact-view.ts";

const description = `A contact has at least one of \`email\`, \`phone\` and \`externalId\`. An e-mail address (ignoring case) or external id of another
contact of the workspace is a violation.`;

export function registerCreateContactRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/contacts",
    {
      config: { scope: "contacts:write", idempotent: true, etag: true },
      schema: {
        operationId: "createContact",
        tags: ["Contacts"],
        summary: "Create a contact",
        description,
        body: documentedCreateContact,
        response: { 201: envelope("The contact", contactSchema) },
      },
    },
    async (request, reply) => {
      const wanted = { bodyJson: request.bodyText! };
      const response = await context.clients.contacts.createContact(wanted, rpcOptions(context, request));
      const contact = requireMessage(response.contact);
      created(reply, `/contacts/${contact.contactId}`);
      return respond(context, reply, { data: contactView(contact), etag: contact.etag });
    },
  );
}
