import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { effectsOf, validateSubscriptionPatch, modeViolations, type SubscriptionPatch } from "./subscription-patch.ts";

const state = {
  name: "Hook",
  mode: "push",
  url: "https://example.com/",
  eventTypes: ["response.completed"],
  status: "active",
};
const nothing = { renames: false, moves: false, listensToOthers: false, pauses: false, resumes: false };

test("every fault is named at once, each at its place; what is left out has none", () => {
  const body = { name: " ", url: "http://u:p@example.com", event_types: ["nonsense"], status: "disabled" };
  const { url, violations } = validateSubscriptionPatch(body);
  expect(url).toBeUndefined();
  expect(violations.map(({ path }) => path).sort()).toEqual(["event_types.0", "name", "status", "url", "url"]);
  expect(validateSubscriptionPatch({}).violations).toEqual([]);
  expect(validateSubscriptionPatch({ event_types: [] }).violations).toMatchObject([{ path: "event_types" }]);
});

test("a feed takes no address", () => {
  expect(modeViolations({ mode: "pull" }, { url: "https://example.com/" })).toMatchObject([{ path: "url" }]);
  expect(modeViolations({ mode: "pull" }, { name: "x" })).toEqual([]);
  expect(modeViolations(state, { url: "https://example.com/" })).toEqual([]);
});

test.each<[string, SubscriptionPatch, Partial<typeof nothing>]>([
  ["active", { ...state }, {}],
  ["active", { name: "Other" }, { renames: true }],
  ["active", { url: "https://example.com/#x" }, { moves: true }],
  ["active", { eventTypes: ["other"] }, { listensToOthers: true }],
  ["active", { status: "paused" }, { pauses: true }],
  ["active", { status: "active" }, {}],
  ["paused", { status: "paused" }, {}],
  ["paused", { status: "active" }, { resumes: true }],
  ["disabled", { status: "active", name: "Other" }, { resumes: true, renames: true }],
  ["disabled", { name: "Other" }, { renames: true }],
])("a subscription that is %s, patched with %j, has the effects %j", (status, patch, effects) => {
  expect(effectsOf({ ...state, status }, patch)).toEqual({ ...nothing, ...effects });
});

test("a disabled subscription cannot be paused", () => {
  const pause = () => effectsOf({ ...state, status: "disabled" }, { status: "paused" });
  expect(pause).toThrow(new AppError("invalid_transition", { state: "disabled", allowed: ["active"] }));
});
