import { expect, test } from "vitest";
import { auditEvent } from "./audit-event.ts";

const call = { caller: {}, clientAddress: "192.0.2.7", requestId: "r-1" } as Parameters<typeof auditEvent>[0];

function statesOf(before: object, after: object): string[] {
  const change = {
    source: "survey",
    at: new Date("2026-01-31T12:00:00Z"),
    action: "element.updated",
    resourceId: "e",
    before,
    after,
  } as const;
  const { body } = auditEvent(call, change as never);
  if (body.case !== "auditRecorded") throw new Error("not an audit entry");
  return [body.value.beforeJson, body.value.afterJson];
}

test("a state is kept without NUL and lone surrogates, or cut if it is longer than 16,384 characters", () => {
  const [whole, cut] = statesOf({ text: "a\0b\ud800" }, { texts: Array(1_000).fill("\u{1F642}".repeat(20)) });
  expect(JSON.parse(whole!)).toEqual({ text: "ab\ufffd" });
  const { isCut, length, begins } = JSON.parse(cut!) as { isCut: boolean; length: number; begins: string };
  expect([isCut, length > 40_000, begins.length]).toEqual([true, true, 2_000]);
  expect(begins.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(cut!)).toBeLessThan(16_384);
});
