import { expect, test } from "vitest";
import { judgeSubscriptionFields } from "./subscription-fields.ts";

const faultsOf = (given: Partial<Parameters<typeof judgeSubscriptionFields>[0]>) =>
  judgeSubscriptionFields({ name: "Hook", eventTypes: [], ...given }).faults;

test("good fields pass; event types have a default", () => {
  const { fields, faults } = judgeSubscriptionFields({ name: "Hook", url: "https://example.com/", eventTypes: [] });
  expect(faults).toEqual([]);
  expect(fields).toMatchObject({ name: "Hook", urlText: "https://example.com/", eventTypes: ["response.completed"] });
  expect(judgeSubscriptionFields({ name: "Feed", eventTypes: [] }).fields.url).toBeUndefined();
});

test("names are counted in characters", () => {
  expect(faultsOf({ name: "😀".repeat(100) })).toEqual([]);
  expect(faultsOf({ name: "😀".repeat(101) })).toEqual([
    { path: "name", message: "must be at most 100 characters long" },
  ]);
  for (const name of ["", "   ", "\t", "\u200b\u2800", "\u202e"])
    expect(faultsOf({ name })).toEqual([{ path: "name", message: "is required" }]);
  expect(faultsOf({ name: "a\0b" })).toHaveLength(1);
});

test("every fault is named at once, each at its place", () => {
  const eventTypes = ["response.completed", "webhook.test", "response.completed", "nonsense"];
  const faults = faultsOf({ name: "", url: "http://user:pw@example.com", eventTypes });
  expect(faults.map(({ path }) => path)).toEqual([
    "name",
    "url",
    "url",
    "event_types.1",
    "event_types.2",
    "event_types.3",
  ]);
});

test("a flood of event types is one fault", () => {
  const eventTypes = Array.from({ length: 101 }, () => "nonsense");
  expect(faultsOf({ eventTypes })).toEqual([{ path: "event_types", message: "must have at most 100 items" }]);
  expect(faultsOf({ eventTypes: eventTypes.slice(1) })).toHaveLength(100);
});

test("an empty url is no feed", () => {
  expect(faultsOf({ url: "" }).map(({ path }) => path)).toEqual(["url"]);
});
