import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named } from "../schemas.ts";

const count = Type.Integer({ minimum: 0 });
const summarySchema = named("ContactStatusSummary", {
  active: count,
  unsubscribed: count,
  bounced: count,
  anonymized: count,
  total: count,
});

export function registerGetStatusSummaryRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/contacts/status-summary",
    {
      config: { scope: "contacts:read" },
      schema: {
        operationId: "getContactStatusSummary",
        tags: ["Contacts"],
        summary: "Count contacts by status",
        response: { 200: envelope("How many contacts there are of each status", summarySchema) },
      },
    },
    async (request, reply) => {
      const { active, unsubscribed, bounced, anonymized } = await context.clients.contacts.getStatusSummary(
        {},
        rpcOptions(context, request),
      );
      const counts = { active, unsubscribed, bounced, anonymized };
      const data = Object.fromEntries(Object.entries(counts).map(([status, contacts]) => [status, Number(contacts)]));
      const total = Object.values(data).reduce((sum, contacts) => sum + contacts, 0);
      return respond(context, reply, { data: { ...data, total } });
    },
  );
}
