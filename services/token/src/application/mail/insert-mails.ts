import type { Sql } from "@canvass/postgres";
import type { WrittenMail } from "./write-mail.ts";

export interface NewMail extends WrittenMail {
  workspaceId: string;
  eventId: string;
  personId: string;
  toName: string;
  toAddress: string;
}

/** Pause between the due times of a workspace's mails, in milliseconds. */
const SPACING_MS = 100;

/**
 * Queues mails by start-time fair queueing: each is due a little after the last of its workspace that was not tried yet
 * (now, if there is none). So a workspace with many mails does not hold up those of others, as long as mails go out at
 * their times.
 */
export async function insertMails(sql: Sql, mails: readonly NewMail[], now: Date): Promise<void> {
  if (mails.length === 0) return;
  const texts = (value: (mail: NewMail) => string) => mails.map(value);
  await sql.query(
    `INSERT INTO mails (workspace_id, event_id, person_id, template, to_name, to_address, subject, text, html, state,
       created_at, attempts, due_at)
     SELECT workspace_id, event_id, person_id, template, to_name, to_address, subject, text, html, 'waiting',
       $10::timestamptz, 0,
       greatest($10::timestamptz, $11 * interval '1 millisecond' +
         (SELECT max(due_at) FROM mails WHERE workspace_id = new.workspace_id AND due_at IS NOT NULL AND attempts = 0))
         + $11 * interval '1 millisecond' * (row_number() OVER (PARTITION BY workspace_id ORDER BY event_id, person_id) - 1)
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
       AS new(workspace_id, event_id, person_id, template, to_name, to_address, subject, text, html)
     ORDER BY workspace_id, event_id, person_id
     ON CONFLICT DO NOTHING`,
    [
      texts(({ workspaceId }) => workspaceId),
      texts(({ eventId }) => eventId),
      texts(({ personId }) => personId),
      texts(({ template }) => template),
      texts(({ toName }) => toName),
      texts(({ toAddress }) => toAddress),
      texts(({ subject }) => subject),
      texts(({ text }) => text),
      texts(({ html }) => html),
      now,
      SPACING_MS,
    ],
  );
}
