import { anonymizeContactBody } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope, withExamples } from "../schemas.ts";
import { contactParams, contactSchema, contactView } from "./contact-view.ts";

const body = withExamples(anonymizeContactBody, {
  confirmed: { summary: "Confirms an erasure, which cannot be undone", value: { confirm: true } },
});

const description = `Permanently erases all fields of the contact, and recorded API responses that contain them. An empty contact with the
status \`anonymized\` remains. Answers of its respondents that name the person (to questions of the types contact_info, form and file_upload, with the files) are erased too, and results are counted without them. The
respondents are unlinked, and export files that may contain them are deleted. \`erasure\` is the receipt: \`completed\` once every
service has confirmed it, soon after; \`GET /contacts/{contactId}\` shows it.`;

export function registerAnonymizeContactRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/contacts/:contactId/anonymize",
    {
      config: {
        scope: "contacts:write",
        idempotent: true,
        etag: true,
        errors: ["contact_not_found", "already_anonymized"],
      },
      schema: {
        operationId: "anonymizeContact",
        tags: ["Contacts"],
        summary: "Erase a contact permanently",
        description,
        params: contactParams,
        body,
        response: { 200: envelope("The empty contact with its receipt", contactSchema) },
      },
    },
    async (request, reply) => {
      const confirmed = { ...request.params, bodyJson: request.bodyText! };
      const response = await context.clients.contacts.anonymizeContact(confirmed, rpcOptions(context, request));
      const contact = requireMessage(response.contact);
      return respond(context, reply, { data: contactView(contact), etag: contact.etag });
    },
  );
}
