import { createBatcher } from "@canvass/fairness";
import { traceField, isTraced, startSpan, type Span } from "@canvass/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryContext } from "../../context.ts";
import { nextStep } from "../../domain/retry-schedule.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { recordAttempts, type AttemptRecord } from "../../storage/record-attempts.ts";

/** Ten seconds for an attempt, and time to record it. */
const ATTEMPT_MS = 11_000;
/** Time for an attempt, and almost as much for waiting. */
export const LEASE_MS = 20_000;

export function canEndInTime({ now }: DeliveryContext, { leaseUntil }: ClaimedDelivery): boolean {
  return leaseUntil.getTime() - now().getTime() >= ATTEMPT_MS;
}

export async function makeAttempt(
  context: DeliveryContext,
  { url, secrets, destinationRevision, activeSince }: Webhook,
  delivery: ClaimedDelivery,
): Promise<AttemptRecord> {
  const attemptedAt = context.now();
  const timestamp = Math.floor(attemptedAt.getTime() / 1000);
  const { eventId, body } = delivery;
  const span = startAttemptSpan(delivery);
  const traceparent = span?.traceparent ?? delivery.traceparent;
  const newConnection = delivery.attempts > 0;
  const message = { url, secrets, webhookId: eventId, timestamp, body, traceparent, newConnection };
  const { outcome, reason, statusCode, responseBody, durationMs, detail } = await context.sender.send(message);
  if (statusCode !== undefined) span?.set("http.response.status_code", statusCode);
  span?.end(outcome === "success" ? undefined : outcome);
  if (detail !== undefined) {
    const { workspaceId, subscriptionId, deliveryId } = delivery;
    context.log.debug(
      { workspaceId, subscriptionId, deliveryId, outcome, reason, detail, ...traceField(traceparent) },
      "an attempt failed",
    );
  }
  const endpoint = { destinationRevision, activeSince };
  const result = { outcome, reason, statusCode, responseBody, durationMs };
  return recordOf(context, delivery, { ...result, attemptedAt, endpoint });
}

/** The record of an attempt whose worker died. It counts, whatever was sent. */
export function interruptedAttempt(
  context: DeliveryContext,
  delivery: ClaimedDelivery,
  attemptedAt: Date,
): AttemptRecord {
  const durationMs = Math.min(context.now().getTime() - attemptedAt.getTime(), 10_000);
  const nothing = { reason: undefined, statusCode: undefined, responseBody: "" };
  const result = { outcome: "no_response", ...nothing, durationMs } as const;
  return recordOf(context, delivery, { ...result, attemptedAt, endpoint: undefined });
}

function recordOf(
  { waits, random, attempts }: DeliveryContext,
  delivery: ClaimedDelivery,
  result: Omit<AttemptRecord, "delivery" | "number" | "next">,
): AttemptRecord {
  const number = delivery.attempts + 1;
  const { outcome, attemptedAt } = result;
  attempts.inc({ outcome });
  return { ...result, delivery, number, next: nextStep({ number, outcome, attemptedAt }, waits, random) };
}

/** Contains ids, never the webhook's address. */
function startAttemptSpan(delivery: ClaimedDelivery): Span | undefined {
  const { traceparent, subscriptionId, deliveryId, eventId, attempts } = delivery;
  if (!isTraced(traceparent)) return undefined;
  return startSpan(traceparent, "client", "POST webhook", {
    "http.request.method": "POST",
    "http.request.resend_count": attempts,
    "messaging.message.id": eventId,
    "canvass.subscription.id": subscriptionId,
    "canvass.delivery.id": deliveryId,
  });
}

export interface AttemptRecorder {
  /** Attempts that are not recorded yet. */
  readonly pending: number;
  /** Resolves when the attempt is committed or its lease has ended. Never rejects. */
  record(record: AttemptRecord): Promise<void>;
}

const MAX_BATCH = 500;
/**
 * Batches start at least 20 ms apart, unless 200 attempts wait: a statement costs as much as twenty rows. If the
 * process is killed, attempts that are not yet recorded are made again.
 */
const LINGER = { ms: 20, enough: 200 };
const RETRY_MS = 200;

/** Group commit: attempts that end while a batch is stored form the next one. */
export function createAttemptRecorder({
  database: {
    hot: { sql },
  },
  now,
  log,
}: DeliveryContext): AttemptRecorder {
  let pending = 0;
  const store = createBatcher<AttemptRecord, boolean>({
    maxSize: MAX_BATCH,
    maxInFlight: 1,
    linger: LINGER,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (records) => {
      try {
        await recordAttempts(sql, records, now());
        return records.map(() => true);
      } catch (error) {
        log.warn({ err: error, attempts: records.length }, "attempts could not be recorded");
        return records.map(() => false);
      }
    },
  });

  return {
    get pending() {
      return pending;
    },
    async record(record) {
      pending += 1;
      try {
        while (!(await store(record)) && now() <= record.delivery.leaseUntil) await sleep(RETRY_MS);
      } finally {
        pending -= 1;
      }
    },
  };
}
