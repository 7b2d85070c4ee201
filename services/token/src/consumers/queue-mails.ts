import { claimNewEvents } from "@canvass/events";
import { inTransaction } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { TokenContext } from "../context.ts";
import { findRecipients } from "../application/mail/find-recipients.ts";
import { insertMails } from "../application/mail/insert-mails.ts";
import { writeMail } from "../application/mail/write-mail.ts";

/** Queues one mail per event for each owner and admin. A repeated event adds none. */
export async function queueMails(
  { database, now, limitWrites, nudgeMails }: TokenContext,
  events: readonly Event[],
): Promise<void> {
  await limitWrites(() =>
    inTransaction(database.pool, async (sql) => {
      const at = now();
      const fresh = await claimNewEvents(sql, "mails", events, at);
      const recipients = await findRecipients(sql, [...new Set(fresh.map(({ workspaceId }) => workspaceId))]);
      const byWorkspace = Map.groupBy(recipients, ({ workspaceId }) => workspaceId);
      const mails = fresh.flatMap((event) =>
        (byWorkspace.get(event.workspaceId) ?? []).map((recipient) => ({
          workspaceId: event.workspaceId,
          eventId: event.eventId,
          personId: recipient.personId,
          toName: recipient.name,
          toAddress: recipient.address,
          ...writeMail(event, recipient),
        })),
      );
      await insertMails(sql, mails, at);
    }),
  );
  nudgeMails();
}
