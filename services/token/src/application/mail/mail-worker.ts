import { startLoop, type Loop } from "@canvass/jobs";
import type { Mailer } from "./sending/mailer.ts";
import type { SendOutcome } from "./sending/send-outcome.ts";
import type { Sql } from "@canvass/postgres";
import type { LimitWrites } from "@canvass/service";
import type { Counter, Logger } from "@canvass/telemetry";
import { LEASE_MS, mailQueue, type ClaimedMail } from "./mail-queue.ts";
import { maxAttempts, waitAfter } from "./retry-schedule.ts";

export interface MailWorkerOptions {
  sql: Sql;
  mailer: Mailer;
  now: () => Date;
  log: Logger;
  limitWrites: LimitWrites;
  attempts: Counter<"outcome">;
  /** Longest pause in milliseconds between checks of the queue. Default 60,000. */
  pollMs?: number;
  /** Longest back-off in milliseconds while the mail server is unavailable. Default 60,000. */
  maxBackOffMs?: number;
}

const AT_ONCE = 5;

/** If a worker dies before it records a sent mail, another worker sends the mail again with the same Message-ID. */
export function startMailWorker(options: MailWorkerOptions): Loop {
  const { sql, mailer, now, log, limitWrites, attempts, pollMs = 60_000, maxBackOffMs = 60_000 } = options;

  async function round(stopping: AbortSignal): Promise<number> {
    const at = now();
    const claimed = await limitWrites(() => mailQueue.claim(sql, { now: at, leaseMs: LEASE_MS, limit: AT_ONCE }));
    if (claimed.length === 0) return pauseUntilDue(at);
    const results = await Promise.allSettled(claimed.map((mail) => attempt(mail, stopping)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const outcomes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const away = outcomes.find(({ state }) => state === "unavailable");
    if (away && "reason" in away && !stopping.aborted) throw new Error(away.reason);
    return 0;
  }

  /** A due mail that was not claimed is locked by another worker, so the pause has a minimum. */
  async function pauseUntilDue(at: Date): Promise<number> {
    const next = await mailQueue.nextDue(sql);
    return next ? Math.min(Math.max(next.getTime() - at.getTime(), 50), pollMs) : pollMs;
  }

  async function attempt(mail: ClaimedMail, stopping: AbortSignal): Promise<SendOutcome> {
    const outcome = await send(mail, stopping);
    attempts.inc({ outcome: outcome.state });
    const settlement = settlementOf(outcome, mail, now());
    if (settlement.state === "failed") {
      // Does not log the address or the server's reply: the table contains both.
      const { workspaceId, eventId, personId } = mail;
      log.error({ workspaceId, eventId, personId, attempts: mail.attempts }, "a mail could not be sent");
    }
    await limitWrites(() => mailQueue.settle(sql, mail, settlement));
    return outcome;
  }

  async function send(mail: ClaimedMail, stopping: AbortSignal): Promise<SendOutcome> {
    // The workers of all attempts died before they recorded an outcome.
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
      if (inARow === 1) log.warn({ err }, "mail cannot be sent at the moment; it waits");
    },
  });
}

function settlementOf(outcome: SendOutcome, { attempts }: ClaimedMail, now: Date) {
  if (outcome.state === "sent") return { state: "sent", due_at: null, settled_at: now, error: null };
  const error = outcome.reason;
  // Due now, behind all waiting mails, so that a mail that always fails does not block the queue.
  if (outcome.state === "unavailable") return { state: "waiting", due_at: now, error, attempts: attempts - 1 };
  const waitMs = outcome.state === "deferred" ? waitAfter(attempts) : undefined;
  if (waitMs === undefined) return { state: "failed", due_at: null, settled_at: now, error };
  return { state: "waiting", due_at: new Date(now.getTime() + waitMs), error };
}
