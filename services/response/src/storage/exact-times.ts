import type { Sql } from "@canvass/postgres";

const kept = `is_anonymous AND (exact_seen_at IS NOT NULL
  OR started_at AT TIME ZONE 'UTC' <> date_trunc('day', started_at AT TIME ZONE 'UTC'))`;
const dayOf = (time: string) => `date_trunc('day', ${time} AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

/** Deletes exact times of anonymous respondents, in random order, so that the new row positions reveal nothing. */
export async function purgeExactTimes(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `UPDATE respondents r SET exact_started_at = NULL, exact_seen_at = NULL,
       started_at = ${dayOf("r.started_at")}, last_seen_at = ${dayOf("r.last_seen_at")}
     FROM (SELECT workspace_id, respondent_id FROM respondents
       WHERE ${kept} AND coalesce(exact_seen_at, started_at) < ${dayOf("$1::timestamptz")}
       ORDER BY random() LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
     WHERE (r.workspace_id, r.respondent_id) = (old.workspace_id, old.respondent_id)
     RETURNING 1 AS gone`,
    [before, limit],
  );
  return rows.length;
}
