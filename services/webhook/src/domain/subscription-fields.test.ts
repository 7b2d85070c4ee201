import { expect, test } from "vitest";
import { validateSubscriptionFields } from "./subscription-fields.ts";

const violationsOf = (body: object) => validateSubscriptionFields({ name: "Hook", ...body }).violations;
const placesOf = (body: object) => violationsOf(body).map(({ path }) => path);

test("good fields pass; event types have a default", () => {
  const { fields, violations } = validateSubscriptionFields({ name: "Hook", url: "https://example.com/" });
  expect(violations).toEqual([]);
  expect(fields).toMatchObject({ name: "Hook", urlText: "https://example.com/", eventTypes: ["response.completed"] });
  expect(validateSubscriptionFields({ name: "Feed" }).fields.url).toBeUndefined();
});

test("names are counted in characters", () => {
  expect(violationsOf({ name: "😀".repeat(100) })).toEqual([]);
  for (const name of ["😀".repeat(101), "", "   ", "\t", "\u200b\u2800", "\u202e"]) {
    expect(violationsOf({ name })).toEqual([
      { path: "name", message: "must be one line of 1 to 100 characters, not only invisible ones" },
    ]);
  }
  expect(placesOf({ name: "a\0b" })).toContain("name");
});

test("every fault is named at once, each at its place", () => {
  const types = ["response.completed", "webhook.test", "response.completed", "nonsense"];
  const body = { name: "", url: "http://user:pw@example.com", event_types: types, colour: "red" };
  expect(placesOf(body).sort()).toEqual([
    "colour",
    "event_types.1",
    "event_types.2",
    "event_types.3",
    "name",
    "url",
    "url",
  ]);
});

test("a flood of event types is one fault", () => {
  const types = Array.from({ length: 101 }, () => "response.completed");
  expect(violationsOf({ event_types: types })).toEqual([
    { path: "event_types", message: "must have at most 100 items" },
  ]);
  expect(violationsOf({ event_types: types.slice(1) })).toHaveLength(99);
});

test("an empty URL, one that is no text, and event types that are no list of texts or empty are violations", () => {
  for (const url of ["", null, 5]) expect(new Set(placesOf({ url }))).toEqual(new Set(["url"]));
  for (const types of [5, [], [5]]) expect(placesOf({ event_types: types })[0]).toMatch(/^event_types/);
});
