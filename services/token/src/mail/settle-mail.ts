import type { Sql } from "@canvass/postgres";
import type { ClaimedMail } from "./claim-mails.ts";

/** What becomes of a mail after an attempt. */
export type Settlement =
  | { state: "sent"; at: Date }
  | { state: "failed"; at: Date; error: string }
  /** Without `counts` the attempt is as if it had never been. */
  | { state: "waiting"; dueAt: Date; error: string; counts: boolean };

/** Records it and gives the lease back. Does nothing when the lease has gone to another worker. */
export async function settleMail(sql: Sql, mail: ClaimedMail, settlement: Settlement): Promise<void> {
  const waiting = settlement.state === "waiting";
  await sql.query(
    `UPDATE mails SET state = $5, due_at = $6::timestamptz, settled_at = $7::timestamptz, error = $8,
       attempts = attempts - $9::int, lease_id = NULL
     WHERE workspace_id = $1 AND event_id = $2 AND person_id = $3 AND lease_id = $4`,
    [
      mail.workspaceId,
      mail.eventId,
      mail.personId,
      mail.leaseId,
      settlement.state,
      waiting ? settlement.dueAt : null,
      waiting ? null : settlement.at,
      settlement.state === "sent" ? null : settlement.error,
      waiting && !settlement.counts ? 1 : 0,
    ],
  );
}
