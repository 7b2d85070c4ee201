import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { defaultLimit, refuseViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { AuditEntrySchema, AuditPageSchema, AuditQuery } from "@canvass/proto/token";
import type { TokenContext } from "../context.ts";
import { readAuditFilter } from "../domain/audit-filter.ts";
import { findAuditEntries, type ListedEntry } from "../storage/audit-entries.ts";

export async function auditPage(
  { database, cursors }: TokenContext,
  workspaceId: string,
  query: AuditQuery | undefined,
): Promise<MessageInitShape<typeof AuditPageSchema>> {
  const { actor = "", action = "", resource = "", cursor = "" } = query ?? {};
  const from = query?.from && timestampDate(query.from);
  const to = query?.to && timestampDate(query.to);
  const { filter, violations } = readAuditFilter({ actor, action, resource, from, to });
  const binding = ["audit", workspaceId, actor, action, resource, from?.getTime(), to?.getTime()];
  const asked = { cursor, limit: query?.limit || defaultLimit };
  const page = openPage<[at: number, entryId: string]>(cursors, binding, asked);
  refuseViolations([...violations, ...page.violations]);
  const after = page.after && { at: new Date(page.after[0]), entryId: page.after[1] };
  const found = await findAuditEntries(database.sql, workspaceId, filter, { after, limit: page.fetch });
  const most = found.filter(({ fits }) => fits).length;
  const { rows, ...end } = page.cut(found, ({ at, entryId }) => [at.getTime(), entryId], most);
  return { ...end, entries: rows.map(entryMessage) };
}

function entryMessage(entry: ListedEntry): MessageInitShape<typeof AuditEntrySchema> {
  return {
    entryId: entry.entryId,
    occurredAt: timestampFromDate(entry.at),
    actor: entry.actor,
    personId: entry.personId ?? "",
    personName: entry.personName ?? "",
    tokenId: entry.tokenId ?? "",
    tokenName: entry.tokenName ?? "",
    clientAddress: entry.address ?? "",
    requestId: entry.requestId ?? "",
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    beforeJson: entry.beforeJson ?? "",
    afterJson: entry.afterJson ?? "",
  };
}
