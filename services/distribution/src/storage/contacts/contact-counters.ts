import { contactStatuses, type ContactStatus } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { randomInt } from "node:crypto";

/** Rows per counter, which add up to it. Concurrent writes of different rows do not wait for each other. */
const shards = 16;

export type StatusCounts = Record<ContactStatus, number>;

/** Adds to the number of contacts per status. Call it in the transaction of the write, after taking all other locks. */
export async function addStatusCounts(sql: Sql, workspaceId: string, changes: Partial<StatusCounts>): Promise<void> {
  const changed = contactStatuses.filter((status) => changes[status]);
  if (changed.length === 0) return;
  await sql.query(
    `INSERT INTO contact_counters AS c (workspace_id, shard, status, contacts)
     SELECT $1, $2::int, status, contacts FROM unnest($3::text[], $4::int[]) AS n (status, contacts) ORDER BY status
     ON CONFLICT (workspace_id, shard, status) DO UPDATE SET contacts = c.contacts + excluded.contacts`,
    [workspaceId, randomInt(shards), changed, changed.map((status) => changes[status])],
  );
}

export async function findStatusCounts(sql: Sql, workspaceId: string): Promise<StatusCounts> {
  const rows = await sql.query<{ status: ContactStatus; contacts: number }>(
    `SELECT status, sum(contacts)::float8 AS contacts FROM contact_counters WHERE workspace_id = $1 GROUP BY status`,
    [workspaceId],
  );
  const counts: StatusCounts = { active: 0, unsubscribed: 0, bounced: 0, anonymized: 0 };
  for (const { status, contacts } of rows) counts[status] = contacts;
  return counts;
}

export function incrementCount(changes: Partial<StatusCounts>, status: ContactStatus, by: 1 | -1): void {
  changes[status] = (changes[status] ?? 0) + by;
}
