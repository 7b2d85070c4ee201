import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import type { Attempt, EventDelivery } from "@canvass/proto/delivery";
import type { Listener } from "@canvass/proto/webhook";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;
const MOST_ATTEMPTS = 9;

const statusReasons: Readonly<Record<string, string>> = {
  gone: "its endpoint responded with 410 Gone",
  blocked: "its URL is not allowed any more",
  failing: "its last ten attempts or more failed, and none succeeded for 72 hours",
};

/** Explains why a subscription did not listen. */
export function absenceWords(listener: Listener): string {
  switch (listener.absence) {
    case "plan":
      return "The workspace's plan had no webhooks when the event happened.";
    case "not_created":
      return `It was created at ${isoTime(listener.createdAt)}, after the event.`;
    case "other_types":
      return "It was subscribed to other event types when this event happened.";
    default:
      return inactiveWords(listener);
  }
}

function inactiveWords({ status, statusReason, absentFrom, absentUntil }: Listener): string {
  const from = isoTimeOrNull(absentFrom);
  const until = isoTimeOrNull(absentUntil);
  const since = from ? ` from ${from}` : "";
  if (until) return `It was paused or disabled${since} until ${until}, so the event was not queued.`;
  const reason = statusReasons[statusReason];
  const because = reason ? `, because ${reason}` : "";
  return `It was ${status === "active" ? "paused" : status}${since} and still is${because}, so the event was not queued.`;
}

export interface EventState {
  inFeed: boolean;
  happenedAt: Date;
  now: Date;
}

/** Explains why a subscription that listened has no delivery. */
export function withoutDeliveryWords({ mode, status }: Listener, { inFeed, happenedAt, now }: EventState): string {
  const old = now.getTime() - happenedAt.getTime() > KEPT_MS;
  if (status === "deleted") return "It listened, and was deleted later.";
  if (mode === "pull") {
    return inFeed
      ? "It listened: the event is in the feed; read it with GET /events."
      : "It listened; events leave the feed after 30 days.";
  }
  return old
    ? "It listened; deliveries are kept for 30 days."
    : "It listened, and has no delivery yet: one is queued within a minute.";
}

/** Explains the status of a delivery, and what comes next. */
export function deliveryWords(
  { delivery, cancelledBecause }: EventDelivery,
  { status, statusReason }: Listener,
  now: Date,
): string {
  const attempts = delivery?.attempts ?? [];
  const last = attempts.at(-1);
  switch (delivery?.status) {
    case "delivered":
      return `Delivered with attempt ${attempts.length} at ${isoTime(last?.attemptedAt)}${answerOf(last)}.`;
    case "failed":
      return `Given up after ${attempts.length} attempts, the last at ${isoTime(last?.attemptedAt)}: ${failureOf(last)}. It can be redelivered.`;
    case "cancelled":
      return cancelWords(cancelledBecause, attempts);
    default:
      return pendingWords(attempts, nextWords(attempts.length + 1, delivery?.nextAttemptAt, now), status, statusReason);
  }
}

function nextWords(number: number, planned: Timestamp | undefined, now: Date): string {
  const attempt = `attempt ${number} of ${MOST_ATTEMPTS}`;
  const at = isoTimeOrNull(planned);
  if (planned === undefined || at === null) return `Waits for ${attempt}.`;
  const time = timestampDate(planned).getTime();
  // For an anonymous answer `planned` is only the start of the day, which may be before the attempt is due.
  const isPast = time < now.getTime() && time % DAY_MS !== 0;
  return isPast ? `Due for ${attempt} since ${at}: it is running, or next in turn.` : `Waits for ${attempt} at ${at}.`;
}

function pendingWords(attempts: readonly Attempt[], next: string, status: string, statusReason: string): string {
  const last = attempts.at(-1);
  const before = last ? ` Attempt ${last.number} at ${isoTime(last.attemptedAt)} ended as ${failureOf(last)}.` : "";
  if (status === "paused" || status === "disabled") {
    const reason = statusReasons[statusReason];
    return `Waits: the webhook is ${status}${reason ? `, because ${reason}` : ""}. It continues when the webhook is resumed, unless it is older than 3.7 days by then.${before}`;
  }
  return `${next}${before}`;
}

function cancelWords(because: string, attempts: readonly Attempt[]): string {
  const gone = attempts.find(({ outcome }) => outcome === "gone");
  if (gone)
    return `Cancelled: the endpoint responded with 410 Gone at attempt ${gone.number}, which disables the webhook.`;
  const reasons: Readonly<Record<string, string>> = {
    gone: "the endpoint responded with 410 Gone to another delivery, which disabled the webhook",
    deleted: "the webhook was deleted",
    plan: "the workspace moved to a plan without webhooks",
    too_old: "it was older than 3.7 days when the webhook was resumed",
  };
  const count = attempts.length;
  const made = count === 0 ? "before any attempt" : `after ${count} ${count === 1 ? "attempt" : "attempts"}`;
  return `Cancelled ${made}: ${reasons[because] ?? "the webhook was deleted, disabled, or resumed too late, or its plan lost webhooks"}.`;
}

const answerOf = (attempt: Attempt | undefined) => (attempt?.statusCode ? ` (status ${attempt.statusCode})` : "");

const failureOf = (attempt: Attempt | undefined) => {
  const reason = attempt?.reason ? ` (${attempt.reason})` : "";
  return `${attempt?.outcome ?? "unknown"}${reason}${answerOf(attempt)}`;
};
