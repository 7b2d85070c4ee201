import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { TokenUse } from "@canvass/proto/token";
import { createLogger } from "@canvass/telemetry";
import { fixedClock } from "@canvass/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTokenUses } from "./token-uses.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const log = createLogger({ service: "test", level: "silent" });

function usesUnderTest(options: { maxTokens?: number } = {}) {
  const clock = fixedClock("2026-03-01T12:00:00Z");
  const sent: TokenUse[][] = [];
  const target = { away: false };
  const uses = startTokenUses({
    ...options,
    now: clock.now,
    log,
    intervalMs: 20_000,
    send: async (batch) => {
      if (target.away) throw new Error("away");
      sent.push(batch as TokenUse[]);
    },
  });
  const seen = () =>
    sent.map((batch) =>
      batch.map((use) => `${use.tokenId} ${use.clientAddress} ${timestampDate(use.usedAt!).getTime() - start}`),
    );
  const start = clock.now().getTime();
  return { ...uses, uses, clock, sent, target, seen };
}

test("many uses of a token are reported as one, the last, and only once", async () => {
  const { record, seen, clock } = usesUnderTest();
  for (let count = 0; count < 1000; count += 1) record("t1", { ip: "192.0.2.1" });
  clock.advance(5);
  record("t1", { ip: "192.0.2.2" });
  record("t2", { ip: undefined });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(seen()).toEqual([["t1 192.0.2.2 5", "t2  5"]]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen()).toHaveLength(1);
});

test("what could not be reported is reported later, unless the token was used again", async () => {
  const { record, seen, clock, target } = usesUnderTest();
  target.away = true;
  record("t1", { ip: "192.0.2.10" });
  record("t2", { ip: "192.0.2.10" });
  await vi.advanceTimersByTimeAsync(20_000);
  clock.advance(20_000);
  record("t1", { ip: "192.0.2.11" });
  target.away = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(seen()).toEqual([["t1 192.0.2.11 20000", "t2 192.0.2.10 0"]]);
});

test("a report is sent in batches, and memory stays bounded while the token service is away", async () => {
  const { record, sent, target } = usesUnderTest({ maxTokens: 1200 });
  target.away = true;
  for (let count = 0; count < 5000; count += 1) record(`t${count}`, { ip: "" });
  await vi.advanceTimersByTimeAsync(40_000);
  for (let count = 0; count < 5000; count += 1) record(`u${count}`, { ip: "" });
  target.away = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent.map(({ length }) => length)).toEqual([500, 500, 200]);
});

test("disposing reports the uses that are left", async () => {
  const { record, seen, uses } = usesUnderTest();
  record("t1", { ip: "192.0.2.10" });
  await uses[Symbol.asyncDispose]();
  expect(seen()).toEqual([["t1 192.0.2.10 0"]]);
});
