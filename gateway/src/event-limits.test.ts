import { expect, test } from "vitest";
import { eventLimits, limitedOperations, overridesPattern } from "./event-limits.ts";

const valid = new RegExp(overridesPattern);

test.each(["createSubscription=60", "createSubscription=60,listEvents=600", "listEvents=1, redeliver=999999999"])(
  "valid overrides: %j",
  (overrides) => expect(overrides).toMatch(valid),
);

test.each([
  "createSubscriptions=60",
  "reads=60",
  "createSubscription",
  "createSubscription=",
  "createSubscription=0",
  "createSubscription=-1",
  "createSubscription=1.5",
  "createSubscription=many",
  "createSubscription=60;listEvents=600",
  "createSubscription=60,",
  "createSubscription=60,listEvents=600,createSubscription=6",
  "toString=1",
])("invalid overrides: %j", (overrides) => expect(overrides).not.toMatch(valid));

test("operations without an override keep their limit of contract 5.1", () => {
  expect(eventLimits("createSubscription=60, listEvents=600")).toEqual({
    ...eventLimits(),
    createSubscription: 60,
    listEvents: 600,
  });
  expect(Object.keys(eventLimits())).toEqual(limitedOperations);
});
