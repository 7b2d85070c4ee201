import { AppError } from "@canvass/errors";
import { afterEach, expect, test, vi } from "vitest";
import { createTimedBatcher } from "./timed-batcher.ts";

afterEach(() => vi.useRealTimers());

test("what waited too long for a place is refused unsent, so that its deadline holds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const sent: number[][] = [];
  const ask = createTimedBatcher<number, number>({
    requestTimeoutMs: 200,
    maxSize: 1,
    maxInFlight: 1,
    send: async (items, timeoutMs) => {
      sent.push(items);
      expect(timeoutMs).toBe(100);
      vi.advanceTimersByTime(timeoutMs + 20);
      throw new AppError("deadline_exceeded");
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map(ask));
  expect(results.map((result) => result.status === "rejected" && (result.reason as AppError).code)).toEqual([
    "deadline_exceeded",
    "deadline_exceeded",
    "deadline_exceeded",
  ]);
  expect(sent).toEqual([[1]]);
});

test("another process that refuses us is no refusal of the caller", async () => {
  const ask = createTimedBatcher<number, number>({
    requestTimeoutMs: 1_000,
    maxSize: 10,
    maxInFlight: 1,
    send: () => Promise.reject(new AppError("unauthorized")),
  });
  await expect(ask(1)).rejects.toMatchObject({ code: "internal_error" });
});
