import { weightLimits, type SurveyDefinition } from "@canvass/questions";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { definitionSql } from "../src/storage/kept-definitions.ts";
import { question, refusal, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

const { surveyCells, definitionBytes } = weightLimits;
const workspaceId = "workspace0000001";

let survey: SurveyFixture;
beforeAll(async () => void (survey = await startSurveyFixture()));
afterAll(() => survey?.[Symbol.asyncDispose]());
beforeEach(() => survey.sql("TRUNCATE surveys CASCADE"));

const texts = (count: number, length = 1) =>
  Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, "x"));
const dropdowns = (rows: number, columns: number, options: number) => ({
  type: "dropdown_matrix",
  text: "What?",
  rows: texts(rows),
  columns: texts(columns).map((text) => ({ text, options: texts(options) })),
});
/** A matrix of as many cells as one may have; a survey may have ten of them. */
const largest = dropdowns(50, 4, 50);
const largeList = question("Which?", { type: "dropdown", choices: texts(1_000, 500) });
const repeated = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

const written = () =>
  survey.sql<{ surveys: number; elements: number }>(
    "SELECT (SELECT count(*)::int FROM surveys) AS surveys, (SELECT count(*)::int FROM elements) AS elements",
  );

async function read(surveyId: string, ...versionIds: string[]) {
  const refs = versionIds.map((versionId) => ({ workspaceId, surveyId, versionId }));
  return (await survey.client.batchGetVersions({ versions: refs })).versions;
}

test("a survey of oversized matrices is refused, each named at its place, and nothing is written", async () => {
  const questions = repeated(200, dropdowns(50, 10, 50));
  const expected = questions.map((_, index) => [
    `questions.${index}.rows`,
    ["must have at most 10000 cells (rows x columns x options), not 25000"],
  ]);
  const beyond = [
    ["questions.4", [expect.stringContaining(String(surveyCells))]],
    [expect.any(String), [expect.stringContaining(String(definitionBytes))]],
  ];
  const { code, details } = await refusal(survey.create({ name: "Attack", questions }));
  expect([code, Object.entries(details)]).toEqual(["validation_failed", [...expected, ...beyond]]);
  expect(await written()).toEqual([{ surveys: 0, elements: 0 }]);
  const { surveyId } = await survey.create({ name: "Attack" });
  expect(Object.keys((await refusal(survey.add(surveyId, { questions }))).details)).toHaveLength(202);
  expect(await written()).toEqual([{ surveys: 1, elements: 0 }]);
});

test("the matrices of a survey have at most the allowed number of cells, over all calls and pages", async () => {
  const { surveyId } = await survey.create({ name: "Large", questions: repeated(4, largest) });
  await survey.add(surveyId, { questions: [...repeated(5, largest), { ...largest, pageTitle: "Last" }] });
  const tooMuch = { questions: [question("fine"), { ...dropdowns(1, 1, 1), helpText: 5 }, dropdowns(1, 1, 1)] };
  expect(await refusal(survey.add(surveyId, tooMuch))).toEqual({
    code: "validation_failed",
    details: {
      "questions.1.helpText": [expect.any(String)],
      "questions.1": [`must not bring the cells of the survey's matrices above ${surveyCells} together`],
    },
  });
  await survey.add(surveyId, { questions: [question("fine")] });
  await survey.publish(surveyId);
});

test("of two that add at once what together is too much, one is refused", async () => {
  const { surveyId } = await survey.create({ name: "Large" });
  const questions = repeated(6, largest);
  const outcomes = await Promise.allSettled([survey.add(surveyId, { questions }), survey.add(surveyId, { questions })]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await written()).toEqual([{ surveys: 1, elements: 6 }]);
});

test("a definition reaches its bound and not more; the largest is published, and read one by one", async () => {
  const { surveyId } = await survey.create({ name: "Long" });
  const add = () => survey.add(surveyId, { questions: [largeList] });
  for (let added = 0; added < 7; added++) await add();
  expect((await refusal(add())).details).toEqual({
    "questions.0": [expect.stringContaining(`${definitionBytes} bytes`)],
  });
  const versions = [(await survey.publish(surveyId)).versionId];
  for (const text of ["second", "third"]) {
    await survey.add(surveyId, { questions: [question(text)] });
    versions.push((await survey.publish(surveyId)).versionId);
  }
  const bytes = Buffer.byteLength(JSON.stringify(JSON.parse((await read(surveyId, versions[0]!))[0]!.definitionJson)));
  expect(bytes / definitionBytes).toBeGreaterThan(0.9);
  expect(bytes).toBeLessThanOrEqual(definitionBytes);
  const [first, absent, second, third] = await read(surveyId, versions[0]!, "z".repeat(16), versions[1]!, versions[2]!);
  expect([first, absent, second, third].map((each) => [each!.versionId, each!.leftOut])).toEqual([
    [versions[0], false],
    ["", false],
    [versions[1], false],
    [versions[2], true],
  ]);
  expect(third!.definitionJson).toBe("");
  const [alone] = await read(surveyId, versions[2]!);
  expect((JSON.parse(alone!.definitionJson) as SurveyDefinition).pages[0]!.elements).toHaveLength(9);
});

test("the stored weights of elements sum up to those of their JSON in the definition", async () => {
  const titled = (text: string) => question(text, { pageTitle: `${text} – Grüße`, helpText: "ß".repeat(50) });
  const { surveyId } = await survey.create({ name: "Pages", questions: [titled("a"), titled("b"), largest] });
  await survey.add(surveyId, { questions: [titled("c"), question("d")] });
  const { versionId } = await survey.publish(surveyId);
  const [version] = await read(surveyId, versionId);
  const { pages } = JSON.parse(version!.definitionJson) as SurveyDefinition;
  const [kept] = await survey.sql<{ bytes: number; cells: number }>(
    "SELECT sum(bytes)::int AS bytes, sum(cells)::int AS cells FROM elements",
  );
  const elements = pages.flatMap((page) => page.elements);
  expect(kept).toEqual({ bytes: elements.reduce((sum, each) => sum + jsonBytes(each) + 1, 0), cells: 10_000 });
});

test("the migration computes weights of existing data", async () => {
  const { surveyId } = await survey.create({
    name: "Before",
    questions: [largest, { type: "matrix", text: "?", rows: texts(3), columns: texts(7) }, largeList, question("a")],
  });
  await survey.publish(surveyId);
  const weights = () =>
    survey.sql<{ cells: number; bytes: number }>(
      `SELECT cells, bytes FROM elements UNION ALL SELECT -1, definition_bytes FROM versions ORDER BY 1, 2`,
    );
  const written = await weights();
  await survey.sql("UPDATE elements SET cells = 0, bytes = 0");
  // The column that the table had before that migration.
  await survey.sql("ALTER TABLE versions ADD COLUMN definition jsonb");
  await survey.sql(`UPDATE versions v SET definition_bytes = 0, definition = ${definitionSql("v")}`);
  const path = new URL("../prisma/migrations/20261122002500_weigh_drafts_and_versions/migration.sql", import.meta.url);
  const script = await readFile(path, "utf8");
  await survey.sql(script.slice(script.indexOf("UPDATE")));
  await survey.sql("ALTER TABLE versions DROP COLUMN definition");
  const migrated = await weights();
  expect(migrated.map(({ cells }) => cells)).toEqual([-1, 0, 0, 21, 10_000]);
  for (const [index, { bytes }] of migrated.entries()) {
    expect(bytes / written[index]!.bytes).toBeGreaterThan(0.9);
    expect(bytes / written[index]!.bytes).toBeLessThan(1.3);
  }
});

test("a draft from before the bounds cannot be published", async () => {
  const { surveyId } = await survey.create({ name: "Old", questions: [question("a"), dropdowns(1, 1, 1)] });
  await survey.sql(`UPDATE elements SET columns = (SELECT jsonb_agg(column_) FROM (
    SELECT columns -> 0 AS column_ FROM generate_series(1, 10001)) AS many) WHERE type = 13`);
  expect(await refusal(survey.publish(surveyId))).toEqual({
    code: "validation_failed",
    details: { "pages.0.elements.1": ["must have at most 10000 cells (rows x columns x options), not 10001"] },
  });
});

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
