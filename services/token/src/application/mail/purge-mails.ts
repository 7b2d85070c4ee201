import type { Sql } from "@canvass/postgres";

export async function purgeMails(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM mails m USING (
       SELECT workspace_id, event_id, person_id FROM mails
       WHERE state IN ('sent', 'failed') AND settled_at < $1::timestamptz LIMIT $2::int FOR UPDATE SKIP LOCKED) old
     WHERE (m.workspace_id, m.event_id, m.person_id) = (old.workspace_id, old.event_id, old.person_id)
     RETURNING 1`,
    [before, limit],
  );
  return rows.length;
}
