import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { showFaultsOnce } from "./show-faults-once.ts";

let printed: string[];
beforeEach(() => {
  vi.useFakeTimers();
  printed = [];
});
afterEach(() => void vi.useRealTimers());

test("a fault is one line, however many processes meet it, and then one with its count for each interval", () => {
  using faults = showFaultsOnce((text) => printed.push(text));
  for (const name of ["survey", "token", "survey", "webhook"]) {
    faults.show(name, { text: `${name}: away`, fault: "away", times: 1 });
  }
  faults.show("survey", { text: "survey: hello", times: 1 });
  expect(printed.splice(0)).toEqual(["survey: away", "survey: hello"]);
  vi.advanceTimersByTime(10_000);
  expect(printed.splice(0)).toEqual(["away: 3 more in 10.0 s (token, survey, webhook)"]);
  faults.show("survey", { text: "survey: away 93 times", fault: "away", times: 93 });
  vi.advanceTimersByTime(10_000);
  expect(printed.splice(0)).toEqual(["away: 93 more in 10.0 s (survey)"]);
  vi.advanceTimersByTime(10_000);
  faults.show("token", { text: "token: away", fault: "away", times: 1 });
  expect(printed).toEqual(["token: away"]);
});

test("disposing prints the remaining counts", () => {
  const faults = showFaultsOnce((text) => printed.push(text));
  for (let time = 0; time < 3; time++) faults.show("token", { text: "token: away", fault: "away", times: 1 });
  faults[Symbol.dispose]();
  expect(printed).toEqual(["token: away", "away: 2 more in 10.0 s (token)"]);
  expect(vi.getTimerCount()).toBe(0);
});
