import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventDeliverySchema, type AttemptSchema } from "@canvass/proto/delivery";
import { ListenerSchema } from "@canvass/proto/webhook";
import { expect, test } from "vitest";
import { absenceWords, deliveryWords, withoutDeliveryWords } from "./explain-words.ts";

const at = timestampFromDate(new Date("2026-01-01T00:00:00Z"));
const time = "2026-01-01T00:00:00.000Z";
const listener = (fields: MessageInitShape<typeof ListenerSchema>) =>
  create(ListenerSchema, { mode: "push", status: "active", ...fields });

test.each<[string, MessageInitShape<typeof ListenerSchema>, string]>([
  ["plan", {}, "The workspace's plan had no webhooks when the event happened."],
  ["not_created", { createdAt: at }, `It was created at ${time}, after the event.`],
  ["other_types", {}, "It was subscribed to other event types when this event happened."],
  [
    "not_active",
    { absentFrom: at, absentUntil: at },
    `It was paused or disabled from ${time} until ${time}, so the event was not queued.`,
  ],
  ["not_active", { absentUntil: at }, `It was paused or disabled until ${time}, so the event was not queued.`],
  [
    "not_active",
    { status: "paused", absentFrom: at },
    `It was paused from ${time} and still is, so the event was not queued.`,
  ],
  [
    "not_active",
    { status: "paused", statusReason: "failing" },
    "It was paused and still is, because its last ten attempts or more failed, and none succeeded for 72 hours, so the event was not queued.",
  ],
  [
    "not_active",
    { status: "disabled", statusReason: "gone", absentFrom: at },
    `It was disabled from ${time} and still is, because its endpoint responded with 410 Gone, so the event was not queued.`,
  ],
])("why a subscription did not listen: %s, %#", (absence, fields, words) => {
  expect(absenceWords(listener({ ...fields, absence }))).toBe(words);
});

const attempts = (...outcomes: string[]): MessageInitShape<typeof AttemptSchema>[] =>
  outcomes.map((outcome, index) => ({
    number: index + 1,
    attemptedAt: at,
    outcome,
    statusCode: { success: 204, http_error: 500, gone: 410 }[outcome] ?? 0,
  }));

test.each<[string, string[], MessageInitShape<typeof ListenerSchema>, string, RegExp]>([
  ["delivered", ["http_error", "success"], {}, "", /^Delivered with attempt 2 at \S+ \(status 204\)\.$/],
  [
    "failed",
    Array(9).fill("no_response"),
    {},
    "",
    /^Given up after 9 attempts, the last at \S+: no_response\. It can be redelivered\.$/,
  ],
  ["pending", [], {}, "", /^Waits for attempt 1 of 9 at \S+Z\.$/],
  [
    "pending",
    ["blocked"],
    { status: "disabled", statusReason: "blocked" },
    "",
    /^Waits: the webhook is disabled, because its URL is not allowed any more\..* resumed/,
  ],
  [
    "cancelled",
    ["http_error", "gone"],
    {},
    "",
    /^Cancelled: the endpoint responded with 410 Gone at attempt 2, which disables the webhook\.$/,
  ],
  [
    "cancelled",
    [],
    {},
    "gone",
    /^Cancelled before any attempt: the endpoint responded with 410 Gone to another delivery/,
  ],
  [
    "cancelled",
    ["http_error"],
    {},
    "plan",
    /^Cancelled after 1 attempt: the workspace moved to a plan without webhooks\.$/,
  ],
  ["cancelled", [], {}, "deleted", /: the webhook was deleted\.$/],
  ["cancelled", [], {}, "too_old", /: it was older than 3\.7 days when the webhook was resumed\.$/],
  ["cancelled", [], {}, "", /deleted, disabled, or resumed too late/],
])(
  "how a delivery is explained that is %s after attempts that ended as %j, %#",
  (status, outcomes, fields, cancelledBecause, words) => {
    const delivery = { status, nextAttemptAt: at, attempts: attempts(...outcomes) };
    expect(
      deliveryWords(create(EventDeliverySchema, { delivery, cancelledBecause }), listener(fields), new Date(time)),
    ).toMatch(words);
  },
);

test.each<[string, string, RegExp]>([
  ["later", "2026-01-02T10:00:00.001Z", /^Waits for attempt 2 of 9 at \S+Z\. Attempt 1 at/],
  ["now or before", "2026-01-02T09:59:59.999Z", /^Due for attempt 2 of 9 since \S+Z: it is running.* Attempt 1 at/],
  ["this day, as of an anonymous answer", "2026-01-02T00:00:00Z", /^Waits for attempt 2 of 9 at \S+Z\./],
])("how an attempt is explained that is planned for %s", (_, planned, words) => {
  const nextAttemptAt = timestampFromDate(new Date(planned));
  const delivery = { status: "pending", nextAttemptAt, attempts: attempts("no_response") };
  const now = new Date("2026-01-02T10:00:00Z");
  expect(deliveryWords(create(EventDeliverySchema, { delivery }), listener({}), now)).toMatch(words);
});

const happenedAt = new Date(time);
const now = (days: number) => new Date(happenedAt.getTime() + days * 86_400_000);

test.each<[MessageInitShape<typeof ListenerSchema>, boolean, number, RegExp]>([
  [{ mode: "pull" }, true, 1, /read it with GET \/events/],
  [{ mode: "pull" }, false, 31, /leave the feed after 30 days/],
  [{}, true, 0, /queued within a minute/],
  [{}, false, 31, /deliveries are kept for 30 days/],
  [{ mode: "", status: "deleted" }, true, 1, /was deleted later/],
])("how a subscription is explained that listened and has no delivery: %j", (fields, inFeed, days, words) => {
  expect(withoutDeliveryWords(listener(fields), { inFeed, happenedAt, now: now(days) })).toMatch(words);
});
