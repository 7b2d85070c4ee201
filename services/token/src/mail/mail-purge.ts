import { startLoop } from "@canvass/events";
import type { Sql } from "@canvass/postgres";
import type { Logger } from "@canvass/telemetry";

const RETENTION_MS = 30 * 86_400_000;
const BATCH = 1000;
const PAUSE_MS = 600_000;

/** Deletes mails that were sent or given up 30 days ago, batch by batch. */
export function startMailPurge(sql: Sql, now: () => Date, log: Logger): AsyncDisposable {
  return startLoop({
    minGapMs: 200,
    maxBackOffMs: 60_000,
    round: async () => {
      const deleted = await purgeMails(sql, new Date(now().getTime() - RETENTION_MS), BATCH);
      return deleted === BATCH ? 0 : PAUSE_MS;
    },
    onFailure: (err, inARow) => {
      if (inARow === 1) log.warn({ err }, "old mails could not be deleted");
    },
  });
}

/** Deletes at most `limit` of the mails settled before `before`; how many there were. */
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
