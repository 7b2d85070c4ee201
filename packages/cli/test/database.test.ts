import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../src/sync/create-database.ts";
import { describeElements } from "../src/sync/describe-elements.ts";
import { openDatabase } from "../src/sync/open-database.ts";
import { privateFiles } from "../src/sync/private-files.ts";
import { storeRespondents } from "../src/sync/store-respondents.ts";
import { ensureState, writeState } from "../src/sync/sync-state.ts";

const owner = { url: "http://localhost", surveyId: "survey" };
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "canvass-database-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function newDatabase(name: string) {
  await createDatabase(at(name), owner);
  return openDatabase(at(name));
}

const startedAt = "2026-11-26T00:00:00.000Z";
const ofSurvey = { surveyId: "survey", respondentId: "r", versionNumber: 1, isTest: false };
const given = { itemId: null, questionId: "q", type: "number" as const, submittedAt: startedAt, meta: null };
const answer = (elementId: string, value: unknown, more: object = {}) => ({
  ...ofSurvey,
  ...given,
  id: `a-${elementId}`,
  elementId,
  // Any value: a column takes what its schema says, whatever the type.
  value: value as number,
  ...more,
});

const nothing = {
  completedAt: null,
  language: null,
  distributorId: null,
  contactId: null,
  metadata: {},
  orderSeed: null,
  source: "collected" as const,
  externalId: null,
  fields: {},
};
const progress = { pageId: null, percentComplete: 0 };
const respondent = (answers: ReturnType<typeof answer>[]) => ({
  ...ofSurvey,
  ...nothing,
  status: "started" as const,
  progress,
  startedAt,
  answers,
});

test("a database appears whole, for its owner only, also if two make it at once", async () => {
  using _private = privateFiles();
  await Promise.all([createDatabase(at("new.duckdb"), owner), createDatabase(at("new.duckdb"), owner)]);
  expect(await readdir(folder)).toEqual(["new.duckdb"]);
  expect((await stat(at("new.duckdb"))).mode & 0o777).toBe(0o600);
  using database = await openDatabase(at("new.duckdb"));
  expect(await ensureState(database, owner)).toMatchObject({ ...owner, walk: 0 });
  await expect(ensureState(database, { ...owner, surveyId: "other" })).rejects.toThrow("has survey survey of");
});

test("an empty file, and tables of something else, are refused in a sentence", async () => {
  await writeFile(at("half.duckdb"), "");
  await expect(newDatabase("half.duckdb")).rejects.toThrow(/half\.duckdb cannot be used/);
  using database = await openDatabase(at("foreign.duckdb"));
  await database.run("CREATE TABLE respondents (name VARCHAR)");
  await expect(ensureState(database, owner)).rejects.toThrow("tables of something else");
});

test("rows and state are written together or not at all", async () => {
  using database = await newDatabase("together.duckdb");
  const state = await ensureState(database, owner);
  const store = (walk: number, fail = () => {}) =>
    database.transact(async () => {
      await storeRespondents(database, { respondents: [respondent([answer("e", walk)])], walk });
      await writeState(database, { ...state, walk });
      fail();
    });
  await store(1);
  const failing = store(2, () => {
    throw new Error("killed");
  });
  await expect(failing).rejects.toThrow("killed");
  expect(await ensureState(database, owner)).toMatchObject({ walk: 1 });
  expect(await database.read("SELECT value FROM answers")).toEqual([{ value: "1" }]);
});

test("columns take any key and any id, and differ", async () => {
  using database = await newDatabase("columns.duckdb");
  const hostile = `x' OR "1"; DROP TABLE answers`;
  const keys = ["Status", "a", "A", hostile];
  const elements = keys.map((key) => ({
    elementId: `${key}'`,
    key,
    type: "number",
    text: key,
    schema: { type: "number" },
  }));
  const answers = elements.map(({ elementId }, index) => answer(elementId, index));
  await database.transact(() => storeRespondents(database, { respondents: [respondent(answers)], walk: 1 }));
  await describeElements(database, elements);
  const [row] = await database.read("SELECT * FROM responses");
  expect(row).toMatchObject({ status: "started", "Status_Status'": 0, a: 1, "A_A'": 2, [hostile]: 3 });
});

test("answers off the path are left out, and repeated ones are an object by item, also of a page that once did not repeat", async () => {
  using database = await newDatabase("loops.duckdb");
  const answers = [
    answer("loop", "one", { itemId: "i1" }),
    answer("loop", "two", { itemId: "i2" }),
    answer("loop", "before it repeated"),
    answer("left", 5, { offPath: true }),
  ];
  await database.transact(() => storeRespondents(database, { respondents: [respondent(answers)], walk: 1 }));
  const element = (key: string, type: string) => ({ elementId: key, key, type, text: null, schema: { type } });
  await describeElements(database, [element("loop", "string"), element("left", "integer")]);
  const [row] = await database.read("SELECT * FROM responses");
  expect([JSON.parse(row!["loop"] as string), row!["left"]]).toEqual([
    { i1: "one", i2: "two", "": "before it repeated" },
    null,
  ]);
});
