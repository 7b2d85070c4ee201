import fc from "fast-check";
import { expect, test } from "vitest";
import { messagesOf } from "./publish-events.ts";

test("messages hold every event once, of one type, within the bounds of number and size", () => {
  const row = fc.record({
    eventId: fc.uuid(),
    type: fc.constantFrom("response.completed", "survey.published"),
    payload: fc.integer({ min: 0, max: 120_000 }).map((size) => new Uint8Array(size)),
  });
  const small = row.map((given) => ({ ...given, payload: new Uint8Array(10) }));
  fc.assert(
    fc.property(fc.oneof(fc.array(row, { maxLength: 20 }), fc.array(small, { maxLength: 350 })), (rows) => {
      const messages = messagesOf(rows, 256 * 1024);
      expect(new Set(messages.flatMap((message) => message.rows))).toEqual(new Set(rows));
      expect(messages.flatMap((message) => message.rows)).toHaveLength(rows.length);
      for (const message of messages) {
        const bytes = message.rows.reduce((sum, { payload }) => sum + payload.length, 0);
        expect(message.rows.length).toBeGreaterThan(0);
        expect(message.rows.length).toBeLessThanOrEqual(100);
        expect(bytes <= 256 * 1024 || message.rows.length === 1).toBe(true);
        expect(message.rows.every(({ type }) => type === message.type)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});
