import { createEventReceiver, startInboxPurge, type EventReceiver } from "@canvass/events";
import type { Mailer } from "@canvass/mail";
import type { Logger, Registry } from "@canvass/telemetry";
import { mailConsumer, queueMails, type QueueMailsContext } from "../consumers/queue-mails.ts";
import { createMailMetrics } from "./mail-metrics.ts";
import { startMailPurge } from "./mail-purge.ts";
import { startMailWorker } from "./mail-worker.ts";

export interface MailsOptions extends QueueMailsContext {
  /** Undefined: mails are kept and wait. */
  mailer: Mailer | undefined;
  log: Logger;
  metrics: Registry;
}

export interface Mails extends AsyncDisposable {
  /** What asks for mails comes in here. */
  receiver: EventReceiver;
}

/** Starts all that has to do with mail. */
export function startMails(options: MailsOptions): Mails {
  const { database, now, log, metrics, mailer, writeGate } = options;
  const { sql } = database;
  const running = new AsyncDisposableStack();
  const attempts = createMailMetrics(metrics, sql, now);
  const worker = mailer && running.use(startMailWorker({ sql, mailer, now, log, writeGate, attempts }));
  running.use(startMailPurge(sql, now, log));
  running.use(startInboxPurge({ sql, now, log }));
  const receiver = createEventReceiver({
    consumer: mailConsumer,
    sql,
    store: async (events) => {
      await queueMails(options, events);
      worker?.nudge();
    },
    log,
    metrics,
    now,
  });
  return { receiver, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
