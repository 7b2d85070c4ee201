import { startLoop, type Loop } from "@canvass/events";
import type { Mailer, SendOutcome } from "@canvass/mail";
import { newId, type Sql } from "@canvass/postgres";
import type { WriteGate } from "@canvass/service";
import type { Counter, Logger } from "@canvass/telemetry";
import { claimMails, nextDueTime, type ClaimedMail } from "./claim-mails.ts";
import { maxAttempts, waitAfter } from "./retry-schedule.ts";
import { settleMail, type Settlement } from "./settle-mail.ts";

export interface MailWorkerOptions {
  sql: Sql;
  mailer: Mailer;
  now: () => Date;
  log: Logger;
  writeGate: WriteGate;
  attempts: Counter<"outcome">;
  /** Milliseconds between looks when nothing calls for one. Default 5,000. */
  pollMs?: number;
  /** Milliseconds at most between tries while the server is away. Default 60,000. */
  maxBackOffMs?: number;
}

/** Far more than an attempt may take: a worker that is alive never loses a mail to another. */
const LEASE_MS = 120_000;
const AT_ONCE = 5;

/**
 * Sends what is due, some at once; replicas share the work. While the server is away it tries less and less often, and
 * no mail loses an attempt. A worker that dies after a mail was sent and before that is recorded leaves a lease that
 * runs out: the mail is sent again, with the same Message-ID.
 */
export function startMailWorker(options: MailWorkerOptions): Loop {
  const { sql, mailer, now, log, writeGate, attempts, pollMs = 5000, maxBackOffMs = 60_000 } = options;

  async function round(stopping: AbortSignal): Promise<number> {
    const at = now();
    const leaseUntil = new Date(at.getTime() + LEASE_MS);
    const lease = { leaseId: newId(at), now: at, leaseUntil, limit: AT_ONCE };
    const claimed = await writeGate(() => claimMails(sql, lease));
    if (claimed.length === 0) return pauseUntilDue(at);
    const results = await Promise.allSettled(claimed.map((mail) => attempt(mail, stopping)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const outcomes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const away = outcomes.find(({ state }) => state === "unavailable");
    if (away && "reason" in away && !stopping.aborted) throw new Error(away.reason);
    return 0;
  }

  /** What is due and was not claimed is in another worker's hands at this moment. */
  async function pauseUntilDue(at: Date): Promise<number> {
    const next = await nextDueTime(sql);
    return next ? Math.min(Math.max(next.getTime() - at.getTime(), 50), pollMs) : pollMs;
  }

  async function attempt(mail: ClaimedMail, stopping: AbortSignal): Promise<SendOutcome> {
    const outcome = await send(mail, stopping);
    attempts.inc({ outcome: outcome.state });
    const settlement = settlementOf(outcome, mail.attempts, now());
    if (settlement.state === "failed") {
      // Neither the address nor what the server said of it: both stand in the table.
      const { workspaceId, eventId, personId } = mail;
      log.error({ workspaceId, eventId, personId, attempts: mail.attempts }, "a mail could not be sent");
    }
    await writeGate(() => settleMail(sql, mail, settlement));
    return outcome;
  }

  async function send(mail: ClaimedMail, stopping: AbortSignal): Promise<SendOutcome> {
    // Every attempt it had before was lost together with its worker.
    if (mail.attempts > maxAttempts) return { state: "refused", reason: "no attempt came to an end" };
    const { eventId, personId, createdAt, toName, toAddress, subject, text, html } = mail;
    const to = { name: toName, address: toAddress };
    return mailer.send({ id: `${eventId}.${personId}`, date: createdAt, to, subject, text, html }, stopping);
  }

  return startLoop({
    minGapMs: 10,
    maxBackOffMs,
    round,
    onFailure: (err, inARow) => {
      if (inARow === 1) log.warn({ err }, "mail can not be sent at the moment; it waits");
    },
  });
}

function settlementOf(outcome: SendOutcome, attempts: number, now: Date): Settlement {
  if (outcome.state === "sent") return { state: "sent", at: now };
  const error = outcome.reason;
  // Due now, so behind whatever has been waiting: one mail that always ends so does not keep the others back.
  if (outcome.state === "unavailable") return { state: "waiting", dueAt: now, error, counts: false };
  const waitMs = outcome.state === "deferred" ? waitAfter(attempts) : undefined;
  if (waitMs === undefined) return { state: "failed", at: now, error };
  return { state: "waiting", dueAt: new Date(now.getTime() + waitMs), error, counts: true };
}
