import { deleteContactsBody } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named, withExamples } from "../schemas.ts";

const body = withExamples(deleteContactsBody, {
  two: { summary: "Two contacts", value: { ids: ["01h8x3k9q2m4a7zp", "01h8x3k9q2m4a7zq"] } },
});

const deletedSchema = named("DeletedContacts", {
  deleted: Type.Integer(),
  results: Type.Array(
    named("DeletedContact", {
      id: Type.String(),
      status: Type.String({ enum: ["deleted", "not_found"] }),
    }),
    { description: "one result per id, in the same order; a repeated id is deleted once" },
  ),
});

export function registerDeleteContactsRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/contacts/bulk-delete",
    {
      config: { scope: "contacts:write", idempotent: true },
      schema: {
        operationId: "deleteContacts",
        tags: ["Contacts"],
        summary: "Delete contacts",
        description: "Deletes contacts with all their data except their answers; `anonymize` erases these, too.",
        body,
        response: { 200: envelope("What became of each id", deletedSchema) },
      },
    },
    async (request, reply) => {
      const { results } = await context.clients.contacts.deleteContacts(
        { bodyJson: request.bodyText! },
        rpcOptions(context, request),
      );
      const shown = results.map(({ contactId, found }) => ({ id: contactId, status: found ? "deleted" : "not_found" }));
      return respond(context, reply, {
        data: { deleted: results.filter(({ found }) => found).length, results: shown },
      });
    },
  );
}
