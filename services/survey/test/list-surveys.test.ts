import { longestCursor } from "@canvass/inputs";
import type { ListSurveysRequest, ListSurveysResponse } from "@canvass/proto/survey";
import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { question, refusal, signedPerson, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let time = Date.parse("2026-01-01T00:00:00.500Z");
let fixture: SurveyFixture;
const names = ["banana", "Apple", "apple", "ÄPFEL", "100%", "under_score", "apple pie", "Cherry"];

beforeAll(async () => {
  // Four at a time share a timestamp, so that their ids decide the order.
  fixture = await startSurveyFixture({ now: () => new Date(time) });
  for (const [index, name] of names.entries()) {
    await fixture.create({ name });
    if (index % 4 === 3) time += 1;
  }
});
afterAll(() => fixture[Symbol.asyncDispose]());

type Fields = Partial<Omit<ListSurveysRequest, "$typeName" | "$unknown">>;

function list(fields: Fields, signedCaller = signedPerson()): Promise<ListSurveysResponse> {
  return fixture.client.listSurveys({ limit: 100, ...fields }, callOptions({ signedCaller }));
}

const namesOf = ({ surveys }: ListSurveysResponse): string[] => surveys.map(({ name }) => name);

async function walk(fields: Fields): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ""; ;) {
    const page = await list({ ...fields, cursor });
    seen.push(...page.surveys.map(({ surveyId }) => surveyId));
    expect(page.hasMore).toBe(page.nextCursor !== "");
    if (!page.hasMore) return seen;
    cursor = page.nextCursor;
  }
}

test.each(["", "createdAt", "-createdAt", "updatedAt", "-updatedAt", "name", "-name"])(
  "sort=%s: pages of any size give the whole list once, in the order of one page",
  async (sort) => {
    const whole = (await list({ sort })).surveys.map(({ surveyId }) => surveyId);
    expect(new Set(whole).size).toBe(names.length);
    for (const limit of [1, 2, 3, 7, 8]) expect(await walk({ sort, limit })).toEqual(whole);
  },
);

test("a descending list is the ascending one turned round; by default the newest come first", async () => {
  for (const sort of ["createdAt", "updatedAt", "name"]) {
    expect(namesOf(await list({ sort: `-${sort}` }))).toEqual(namesOf(await list({ sort })).toReversed());
  }
  expect(namesOf(await list({}))).toEqual(namesOf(await list({ sort: "-createdAt" })));
  expect(namesOf(await list({ sort: "createdAt" }))[0]).toBe("banana");
});

test("names are sorted ignoring case", async () => {
  const sorted = namesOf(await list({ sort: "name", query: "apple" }));
  expect(sorted.map((name) => name.toLowerCase())).toEqual(["apple", "apple", "apple pie"]);
});

test.each([
  ["apple", 3],
  ["APPLE", 3],
  ["äpf", 1],
  ["pp", 3],
  ["%", 1],
  ["_", 1],
  ["\\", 0],
  ["'; DROP TABLE surveys; --", 0],
  ["cherry", 1],
])("q=%s finds %i", async (query, count) => {
  const found = await list({ query, includeTotal: true });
  expect(found.surveys).toHaveLength(count);
  expect(found.total).toBe(BigInt(count));
  expect(await walk({ query, limit: 1 })).toHaveLength(count);
});

test("a search text is limited in characters, and a cursor can hold the longest name", async () => {
  const name = "🙂".repeat(200);
  const made = [await fixture.create({ name }), await fixture.create({ name })];
  const [first, second] = [await list({ query: name, sort: "name", limit: 1 }), await list({ query: name })];
  expect(second.surveys).toHaveLength(2);
  expect(first.nextCursor.length).toBeLessThanOrEqual(longestCursor);
  const rest = await list({ query: name, sort: "name", limit: 1, cursor: first.nextCursor });
  expect(rest).toMatchObject({ hasMore: false, surveys: [{ name }] });
  for (const { surveyId } of made) await fixture.sql("DELETE FROM surveys WHERE survey_id = $1", [surveyId]);
});

test("every violation of a list request is reported at once", async () => {
  const wrong = await refusal(list({ sort: "id", query: "x".repeat(201), limit: 0, cursor: "nonsense" }));
  expect(Object.keys(wrong.details)).toEqual(["q", "sort", "limit", "cursor"]);
});

test("a renamed survey is found, and sorted, by its new name only", async () => {
  const { surveyId } = await fixture.create({ name: "zebra" });
  await fixture.patch(surveyId, "*", { name: "AARDVARK" });
  expect(namesOf(await list({ query: "zebra" }))).toEqual([]);
  expect(namesOf(await list({ query: "aardvark" }))).toEqual(["AARDVARK"]);
  expect(namesOf(await list({ sort: "name" })).indexOf("AARDVARK")).toBeLessThan(names.length - 1);
  await fixture.sql("DELETE FROM surveys WHERE survey_id = $1", [surveyId]);
});

test("active and inactive surveys can be filtered, and a changed survey moves in the order of changes", async () => {
  const all = await list({ sort: "createdAt" });
  const first = all.surveys[0]!;
  time += 1000;
  await fixture.add(first.surveyId, { questions: [question("?")] });
  await fixture.publish(first.surveyId);
  expect(namesOf(await list({ active: true }))).toEqual([first.name]);
  expect(namesOf(await list({ active: false }))).toHaveLength(names.length - 1);
  expect((await list({ active: false, includeTotal: true })).total).toBe(BigInt(names.length - 1));
  expect((await list({ sort: "-updatedAt" })).surveys[0]!.surveyId).toBe(first.surveyId);
});

test("the total is counted only when asked for", async () => {
  expect((await list({})).total).toBeUndefined();
  expect((await list({ includeTotal: true, limit: 1 })).total).toBe(BigInt(names.length));
});

test("a cursor that was changed, or made with another filter, sort or workspace, is refused", async () => {
  const { nextCursor: cursor } = await list({ limit: 2, sort: "name" });
  const others: Fields[] = [
    { sort: "-name", cursor },
    { sort: "createdAt", cursor },
    { sort: "name", query: "a", cursor },
    { sort: "name", active: false, cursor },
    { sort: "name", cursor: `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}` },
    { sort: "name", cursor: "nonsense" },
    { sort: "name", cursor: "\0" },
  ];
  for (const fields of others) {
    expect(await refusal(list(fields))).toMatchObject({
      code: "validation_failed",
      details: { cursor: expect.anything() },
    });
  }
  const stranger = signedPerson({ workspaceId: "workspace0000002" });
  expect(Object.keys((await refusal(list({ sort: "name", cursor }, stranger))).details)).toEqual(["cursor"]);
  expect((await list({ limit: 5, sort: "name", cursor })).surveys).toHaveLength(5);
});

test("a survey that is created while a list is walked neither repeats nor hides earlier ones", async () => {
  const before = (await list({ sort: "createdAt" })).surveys.map(({ surveyId }) => surveyId);
  const first = await list({ sort: "createdAt", limit: 4 });
  time += 1;
  await fixture.create({ name: "late" });
  const rest = await list({ sort: "createdAt", cursor: first.nextCursor });
  const walked = [...first.surveys, ...rest.surveys].map(({ surveyId }) => surveyId);
  expect(walked.slice(0, before.length)).toEqual(before);
});

test("another workspace's list is empty", async () => {
  const stranger = signedPerson({ workspaceId: "workspace0000002" });
  expect(await list({ includeTotal: true }, stranger)).toMatchObject({ surveys: [], hasMore: false, total: 0n });
});

test.each<[Fields, string]>([
  [{ limit: 0 }, "limit"],
  [{ limit: 101 }, "limit"],
  [{ sort: "id" }, "sort"],
  [{ query: "a\0b" }, "q"],
  [{ query: "x".repeat(201) }, "q"],
  [{ query: "🙂".repeat(201) }, "q"],
])("%j has a violation at %s", async (fields, path) => {
  expect(Object.keys((await refusal(list(fields))).details)).toEqual([path]);
});
