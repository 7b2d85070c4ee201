import { mostIssuedLinks, type IssueLinksBody } from "@canvass/inputs";
import { expect, test } from "vitest";
import { contactIdViolations, kindViolations, requireLinkCapacity } from "./issuing-rules.ts";
import { sharesCode } from "./shares-code.ts";

const contactIds = ["contact000000001"];

test.each<[string, IssueLinksBody, string[]]>([
  ["single_use_link", { count: 1 }, []],
  ["single_use_link", { contactIds }, ["contactIds", "count"]],
  ["single_use_link", {}, ["count"]],
  ["personal_link", { contactIds }, []],
  ["personal_link", { count: 1, contactIds }, ["count"]],
  ["link", { count: 1 }, ["count"]],
  ["embed", { contactIds }, ["contactIds"]],
])("a %s with %j is wrong at %j", (type, body, places) => {
  expect(kindViolations(type, body).map(({ path }) => path)).toEqual(places);
});

test("a link refuses to issue links, also for an empty body", () => {
  expect(kindViolations("link", {}).map(({ message }) => message)).toEqual([expect.stringContaining("one link")]);
});

test("contact ids must exist, belong to no anonymized contact, and be listed once", () => {
  const known = [
    { contactId: "a", status: "active" },
    { contactId: "u", status: "unsubscribed" },
    { contactId: "x", status: "anonymized" },
  ] as const;
  expect(contactIdViolations(["a", "u"], known)).toEqual([]);
  expect(contactIdViolations(["a", "x", "y", "a"], known).map(({ path }) => path)).toEqual([
    "contactIds.1",
    "contactIds.2",
    "contactIds.3",
  ]);
});

test("a distributor has room for a hundred thousand links", () => {
  requireLinkCapacity(mostIssuedLinks - 1, 1);
  requireLinkCapacity(mostIssuedLinks, 0);
  expect(() => requireLinkCapacity(mostIssuedLinks, 1)).toThrow("more links");
});

test("links and embeddings have one code for everybody", () => {
  expect(["link", "embed", "single_use_link", "personal_link"].map((type) => sharesCode(type as never))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
