import { expect, test } from "vitest";
import { dayOfBody, withShownTimes } from "./shown-times.ts";

const body = (completedAt: string) =>
  JSON.stringify({ type: "response.completed", data: { completed_at: completedAt } });
const [day, later] = [new Date("2026-03-03"), new Date("2026-03-05")];
const createdAt = new Date("2026-03-02T20:11:12.345Z");
const after = (hours: number) => new Date(createdAt.getTime() + hours * 3_600_000);
const delivery = {
  createdAt,
  redeliveryOf: "",
  nextAttemptAt: after(71.9),
  attempts: [{ attemptedAt: after(0) }, { attemptedAt: after(23.9) }],
};

test("of a completion that shows only its day, times are shown as whole days from that day", () => {
  expect(withShownTimes(delivery, body("2026-03-03"))).toEqual({
    ...delivery,
    createdAt: day,
    nextAttemptAt: later,
    attempts: [{ attemptedAt: day }, { attemptedAt: day }],
  });
  expect(withShownTimes({ ...delivery, nextAttemptAt: null }, body("2026-03-03")).nextAttemptAt).toBeNull();
});

test("other deliveries, and redeliveries, show their times", () => {
  expect(dayOfBody(body("2026-03-02T20:11:12.345Z"))).toBeUndefined();
  expect(withShownTimes(delivery, body("2026-03-02T20:11:12.345Z"))).toBe(delivery);
  const again = { ...delivery, redeliveryOf: "01h8x4v2c6n8b5tq" };
  expect(withShownTimes(again, body("2026-03-03"))).toBe(again);
});
