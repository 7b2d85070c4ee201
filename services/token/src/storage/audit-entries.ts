import type { Sql } from "@canvass/postgres";
import type { AuditFilter } from "../domain/audit-filter.ts";

export interface ListedEntry {
  entryId: string;
  at: Date;
  actor: string;
  personId: string | null;
  personName: string | null;
  tokenId: string | null;
  tokenName: string | null;
  address: string | null;
  requestId: string | null;
  action: string;
  resourceType: string;
  resourceId: string;
  beforeJson: string | null;
  afterJson: string | null;
  /** Whether the entry and all before it fit on the page. */
  fits: boolean;
}

export interface AuditPosition {
  at: Date;
  entryId: string;
}

const bytes = (column: string) => `coalesce(octet_length("${column}"), 0)`;
const COLUMNS = `entry_id AS "entryId", at, actor, person_id AS "personId", person_name AS "personName",
  token_id AS "tokenId", token_name AS "tokenName", address, request_id AS "requestId", action,
  resource_type AS "resourceType", resource_id AS "resourceId", before::text AS "beforeJson", after::text AS "afterJson"`;

/** Most bytes of `before` and `after` on a page. The first entry always fits. */
const PAGE_BYTES = 262_144;

/** Newest first; every filter has an index. Of the entries that do not fit on the page, returns the first. */
export function findAuditEntries(
  sql: Sql,
  workspaceId: string,
  filter: AuditFilter,
  { after, limit }: { after: AuditPosition | undefined; limit: number },
): Promise<ListedEntry[]> {
  const values: unknown[] = [
    workspaceId,
    filter.from ?? "-infinity",
    filter.to ?? "infinity",
    after?.at ?? "infinity",
    after?.entryId ?? "",
    limit,
  ];
  const conditions = [
    "workspace_id = $1::text",
    "at >= $2::timestamptz",
    "at < $3::timestamptz",
    "(at, entry_id) < ($4::timestamptz, $5::text)",
  ];
  const add = (column: string, value: string) => conditions.push(`${column} = $${values.push(value)}::text`);
  if (filter.action) add("action", filter.action);
  if (filter.resourceId) add("resource_id", filter.resourceId);
  if (filter.resourceType) add("resource_type", filter.resourceType);
  if (filter.withoutPerson) {
    conditions.push("person_id IS NULL");
    add("actor", filter.withoutPerson);
  }
  const page = (more: string[]) =>
    `SELECT ${COLUMNS} FROM audit_entries WHERE ${[...conditions, ...more].join(" AND ")}
     ORDER BY audit_entries.at DESC, entry_id DESC LIMIT $6::int`;
  if (!filter.actorId) return sql.query<ListedEntry>(fitting(page([])), values);
  const actor = `$${values.push(filter.actorId)}::text`;
  const [byPerson, byToken] = [page([`person_id = ${actor}`]), page([`token_id = ${actor}`])];
  const both = `SELECT * FROM ((${byPerson}) UNION ALL (${byToken})) found ORDER BY at DESC, "entryId" DESC LIMIT $6::int`;
  return sql.query<ListedEntry>(fitting(both), values);
}

const fitting = (page: string) => `
  SELECT * FROM (
    SELECT *, fits OR coalesce(lag(fits) OVER listed, true) AS wanted FROM (
      SELECT *, row_number() OVER listed = 1 OR sum(${bytes("beforeJson")} + ${bytes("afterJson")}) OVER listed <= ${PAGE_BYTES} AS fits
      FROM (${page}) page WINDOW listed AS (ORDER BY at DESC, "entryId" DESC)
    ) weighed WINDOW listed AS (ORDER BY at DESC, "entryId" DESC)
  ) found WHERE wanted ORDER BY at DESC, "entryId" DESC`;
