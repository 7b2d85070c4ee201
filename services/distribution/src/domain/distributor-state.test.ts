import { AppError } from "@canvass/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isTransition,
  transitions,
  shownStatus,
  stateAfter,
  type DistributorStatus,
  type TransitionName,
} from "./distributor-state.ts";

const statuses = ["draft", "active", "paused", "closed"] as const;
const names = Object.keys(transitions) as TransitionName[];

/** Returns the state after the transition, or the allowed transitions if it is refused. */
function outcome(stored: DistributorStatus, shown: DistributorStatus, name: TransitionName): string | unknown[] {
  try {
    return stateAfter({ stored, shown }, name);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_transition") throw error;
    expect(error.details["state"]).toBe(shown);
    return error.details["allowed"] as unknown[];
  }
}

test.each<[DistributorStatus, Record<TransitionName, string | unknown[]>]>([
  ["draft", { activate: "active", pause: ["activate"], resume: ["activate"], close: ["activate"] }],
  ["active", { activate: "active", pause: "paused", resume: "active", close: "closed" }],
  ["paused", { activate: ["resume", "close"], pause: "paused", resume: "active", close: "closed" }],
  ["closed", { activate: [], pause: [], resume: [], close: "closed" }],
])("each transition from %s leads to its state, or is refused with those that are allowed", (status, outcomes) => {
  const all = names.map((name) => [name, outcome(status, status, name)]);
  expect(Object.fromEntries(all)).toEqual(outcomes);
});

test("what time or limit closed can only be closed for good", () => {
  for (const stored of ["active", "paused"] as const) {
    expect(names.map((name) => outcome(stored, "closed", name))).toEqual([["close"], ["close"], ["close"], "closed"]);
  }
});

test("repeating a transition changes nothing, and allowed transitions succeed", () => {
  fc.assert(
    fc.property(fc.constantFrom(...statuses), fc.constantFrom(...names), (status, name) => {
      const after = outcome(status, status, name);
      if (typeof after === "string")
        expect(outcome(after as DistributorStatus, after as DistributorStatus, name)).toBe(after);
      else for (const other of after) expect(outcome(status, status, other as TransitionName)).toBeTypeOf("string");
    }),
  );
});

test("nothing leaves closed, and nothing comes back to draft", () => {
  let allowed = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names)), (path) => {
      let state: DistributorStatus = "draft";
      for (const name of path) {
        const after = outcome(state, state, name);
        if (typeof after !== "string") continue;
        expect(state === "closed" ? after : "any").toBe(state === "closed" ? "closed" : "any");
        expect(after).not.toBe("draft");
        state = after as DistributorStatus;
        allowed += 1;
      }
    }),
  );
  expect(allowed).toBeGreaterThan(20);
});

test("only names of transitions are transitions", () => {
  expect(["pause", "delete", "constructor", ""].map(isTransition)).toEqual([true, false, false, false]);
});

describe("the shown state", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const at = (text: string) => new Date(text);
  test.each<[DistributorStatus, Date | undefined, number | undefined, number | undefined, DistributorStatus]>([
    ["active", undefined, undefined, 99, "active"],
    ["active", at("2026-03-01T12:00:00Z"), undefined, 0, "closed"],
    ["active", at("2026-03-01T12:00:00.001Z"), undefined, 0, "active"],
    ["active", undefined, 5, 4, "active"],
    ["active", undefined, 5, 5, "closed"],
    ["active", undefined, 5, undefined, "active"],
    ["paused", undefined, 5, 6, "closed"],
    ["draft", at("2026-01-01T00:00:00Z"), undefined, 0, "draft"],
    ["closed", undefined, undefined, 0, "closed"],
  ])("of %s closing at %s after %s with %s is %s", (status, closesAt, responseLimit, completed, shown) => {
    expect(shownStatus({ status, closesAt, responseLimit }, now, completed)).toBe(shown);
  });
});
