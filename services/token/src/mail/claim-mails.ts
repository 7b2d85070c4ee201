import type { Sql } from "@canvass/postgres";

/** A mail that one worker alone may send, until its lease ends. */
export interface ClaimedMail {
  workspaceId: string;
  eventId: string;
  personId: string;
  leaseId: string;
  /** This one included. */
  attempts: number;
  toName: string;
  toAddress: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
}

export interface ClaimOptions {
  leaseId: string;
  now: Date;
  leaseUntil: Date;
  limit: number;
}

/** Leases the mails that have been due for longest. An attempt counts from here, also when nobody hears of it again. */
export function claimMails(sql: Sql, { leaseId, now, leaseUntil, limit }: ClaimOptions): Promise<ClaimedMail[]> {
  return sql.query<ClaimedMail>(
    `WITH due AS MATERIALIZED (
       SELECT workspace_id, event_id, person_id FROM mails
       WHERE due_at <= $1::timestamptz ORDER BY due_at LIMIT $2::int FOR UPDATE SKIP LOCKED)
     UPDATE mails m SET due_at = $3::timestamptz, lease_id = $4, attempts = attempts + 1 FROM due
     WHERE (m.workspace_id, m.event_id, m.person_id) = (due.workspace_id, due.event_id, due.person_id)
     RETURNING m.workspace_id AS "workspaceId", m.event_id AS "eventId", m.person_id AS "personId",
       m.lease_id AS "leaseId", m.attempts, m.to_name AS "toName", m.to_address AS "toAddress", m.subject, m.text, m.html,
       m.created_at AS "createdAt"`,
    [now, limit, leaseUntil, leaseId],
  );
}

/** When the next mail is due, or a lease ends; undefined when none waits. */
export async function nextDueTime(sql: Sql): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date | null }>(`SELECT min(due_at) AS at FROM mails`);
  return row?.at ?? undefined;
}
