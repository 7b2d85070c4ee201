import { expect, test } from "vitest";
import { isFailing } from "./failing.ts";

const HOUR = 3_600_000;
const created = new Date("2026-03-01T12:00:00Z");
const after = (hours: number) => new Date(created.getTime() + hours * HOUR);
const health = { pausingFailures: 10, lastSuccessAt: null, lastFailureAt: after(72), activeSince: created };

test.each([
  ["ten failures in a row and 72 hours since the creation", {}, true],
  ["nine failures", { pausingFailures: 9 }, false],
  ["a millisecond less than 72 hours", { lastFailureAt: new Date(after(72).getTime() - 1) }, false],
  ["a success within 72 hours", { lastSuccessAt: after(1) }, false],
  ["72 hours since the last success", { lastSuccessAt: after(1), lastFailureAt: after(73) }, true],
  ["a success before the webhook was resumed", { lastSuccessAt: after(-500), activeSince: after(10) }, false],
  ["an activation that is not known", { activeSince: null }, false],
])("%s, %j: failing is %s", (_, fields, failing) => expect(isFailing({ ...health, ...fields })).toBe(failing));
