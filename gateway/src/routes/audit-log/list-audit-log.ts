import { auditActions, auditResources } from "@canvass/access";
import { cursorQuery, timeParam } from "@canvass/inputs";
import { idPattern } from "@canvass/values";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { timestampOf } from "../../plugins/responses/timestamps.ts";
import { auditEntrySchema, auditEntryView } from "./audit-entry-view.ts";

const idOr = (words: readonly string[], description: string) =>
  Type.String({ pattern: `${idPattern}|^(${words.join("|")})$`, description });

const query = cursorQuery({
  actor: Type.Optional(idOr(["operator", "platform"], "id of a person or of a token, `operator` or `platform`")),
  action: Type.Optional(Type.Enum(Object.keys(auditActions), { description: "the action" })),
  resource: Type.Optional(idOr(auditResources, "id of what was changed, or its type, for example `survey`")),
  from: timeParam("not before this time"),
  to: timeParam("before this time"),
});

/** The audit log (contract 4.11). */
export function registerListAuditLogRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/audit-log",
    {
      config: { scope: "audit:read" },
      schema: {
        operationId: "listAuditLog",
        tags: ["Audit log"],
        summary: "List changes in the workspace",
        description:
          "Newest first: every change of tokens, people, roles, plan, surveys, links, contacts, exports, imports and event subscriptions, with the person, the token, the IP address, and the values before and after; also downloads of files. A page of large changes has fewer items than `limit`: continue while `hasMore` is true. Changes of tokens, people, roles and plan appear at once, others within a minute, usually at once, too. Secrets are never shown.",
        querystring: query,
        response: { 200: cursorList("A page of changes", auditEntrySchema) },
      },
    },
    async (request, reply) => {
      const { from, to, ...rest } = request.query;
      const asked = { ...rest, ...(from && { from: timestampOf(from) }), ...(to && { to: timestampOf(to) }) };
      const { page } = await context.clients.audit.listAuditLog({ query: asked }, rpcOptions(context, request));
      const { entries, ...end } = requireMessage(page);
      return respond(context, reply, { data: entries.map(auditEntryView), pagination: cursorPagination(end) });
    },
  );
}
