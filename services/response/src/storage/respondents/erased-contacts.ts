import type { Sql } from "@canvass/postgres";
import type { ContactRef } from "./contact-respondents.ts";

const lockName = "hashtextextended('contact ' || c.workspace_id || ' ' || c.contact_id, 0)";

/** Takes the lock for which starts in older processes wait: these do not know `gone_contacts` and read this row. */
export async function insertErasedContact(sql: Sql, { workspaceId, contactId }: ContactRef, at: Date): Promise<void> {
  await sql.query(
    `SELECT pg_advisory_xact_lock(${lockName})::text AS locked FROM (VALUES ($1::text, $2::text)) AS c (workspace_id, contact_id)`,
    [workspaceId, contactId],
  );
  await sql.query(
    // Renews the retention of a row whose erasure is retried for days.
    `INSERT INTO erased_contacts (workspace_id, contact_id, erased_at) VALUES ($1, $2, $3::timestamptz)
     ON CONFLICT (workspace_id, contact_id) DO UPDATE SET erased_at = EXCLUDED.erased_at`,
    [workspaceId, contactId, at],
  );
}

export type ErasedCounts = Record<"respondents" | "answers" | "files" | "exportFiles", number>;

/** Must run in the transaction that erased them. */
export async function addErasedCounts(
  sql: Sql,
  { workspaceId, contactId }: ContactRef,
  { respondents, answers, files, exportFiles }: ErasedCounts,
): Promise<void> {
  await sql.query(
    `UPDATE erased_contacts SET respondents = respondents + $3::int, answers = answers + $4::int, files = files + $5::int,
       export_files = export_files + $6::int WHERE (workspace_id, contact_id) = ($1, $2)`,
    [workspaceId, contactId, respondents, answers, files, exportFiles],
  );
}

export async function findErasedCounts(sql: Sql, { workspaceId, contactId }: ContactRef): Promise<ErasedCounts> {
  const [erased] = await sql.query<ErasedCounts>(
    `SELECT respondents, answers, files, export_files AS "exportFiles" FROM erased_contacts
     WHERE (workspace_id, contact_id) = ($1, $2)`,
    [workspaceId, contactId],
  );
  return erased!;
}
