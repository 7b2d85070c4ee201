import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { validationFailed } from "@canvass/inputs";
import type { CursorCodec } from "@canvass/postgres";
import type { AuditEntrySchema, AuditPageSchema, AuditQuery } from "@canvass/proto/token";
import type { TokenContext } from "../context.ts";
import { readAuditFilter } from "../domain/audit-filter.ts";
import { listAuditEntries, type AuditPosition, type ListedEntry } from "../storage/list-audit-log.ts";

const maxLimit = 100;
const defaultLimit = 50;

/** One page of a workspace's audit log. Throws `validation_failed` for unknown filters and foreign cursors. */
export async function auditPage(
  { database, cursors }: TokenContext,
  workspaceId: string,
  query: AuditQuery | undefined,
): Promise<MessageInitShape<typeof AuditPageSchema>> {
  const { actor = "", action = "", resource = "", cursor = "" } = query ?? {};
  const from = query?.from && timestampDate(query.from);
  const to = query?.to && timestampDate(query.to);
  const limit = query?.limit || defaultLimit;
  const { filter, faults } = readAuditFilter({ actor, action, resource, from, to });
  if (limit > maxLimit) faults.push({ path: "limit", message: `must be at most ${maxLimit}` });
  const binding = ["audit", workspaceId, actor, action, resource, from?.getTime(), to?.getTime()];
  const after = cursor === "" ? undefined : positionOf(cursors, binding, cursor);
  if (after === null) faults.push({ path: "cursor", message: "is not a cursor of this list" });
  if (faults.length > 0 || after === null) throw validationFailed(faults);
  const found = await listAuditEntries(database.sql, workspaceId, filter, { after, limit: limit + 1 });
  const entries = found.slice(0, limit);
  const last = found.length > limit ? entries.at(-1) : undefined;
  const nextCursor = last ? cursors.encode(binding, [last.at.getTime(), last.entryId]) : "";
  return { entries: entries.map(entryMessage), nextCursor };
}

/** Null for a cursor that was changed, or made for another list. */
function positionOf(cursors: CursorCodec, binding: Parameters<CursorCodec["decode"]>[0], cursor: string) {
  const position = cursors.decode(binding, cursor);
  if (!position) return null;
  const [at, entryId] = position as [number, string];
  return { at: new Date(at), entryId } satisfies AuditPosition;
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
