import { callOptions } from "@canvass/rpc";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { definitionSql } from "../src/storage/kept-definitions.ts";
import { question, signedPerson, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let fixture: SurveyFixture;
let now = new Date("2026-03-01T12:00:00Z");
const later = (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000));
const person = callOptions({ signedCaller: signedPerson() });

beforeAll(async () => void (fixture = await startSurveyFixture({ now: () => now })));
afterAll(() => fixture?.[Symbol.asyncDispose]());
beforeEach(() => fixture.sql("TRUNCATE surveys CASCADE"));

const texts = (count: number) => Array.from({ length: count }, (_, index) => `${index}`.padEnd(100, "Grüße "));
const heavy = () => question("Which?", { type: "dropdown", choices: texts(100) });
const reasons = async (surveyId: string) => (await fixture.backups(surveyId)).map(({ reason }) => reason);
const backUp = async (surveyId: string) => (await fixture.client.createBackup({ surveyId }, person)).backup!.backupId;

async function reword(elementId: string, questionText: string) {
  const body = { settings: { typeSettings: {}, responseValidation: {} }, questionText };
  await fixture.edit(elementId, { edit: "settings", body });
}

const stored = () =>
  fixture.sql<{ id: string; definition: string }>(
    `SELECT version_id AS id, ${definitionSql("v")}::text AS definition FROM versions v
     UNION ALL SELECT backup_id, ${definitionSql("b")}::text FROM backups b ORDER BY id`,
  );

async function sizes() {
  const [row] = await fixture.sql<{ questions: number; kept: number; whole: number }>(
    `SELECT (SELECT count(*)::int FROM kept_questions) AS questions,
       (SELECT sum(bytes)::int FROM kept_questions)
         + (SELECT sum(octet_length(layout::text))::int FROM (SELECT layout FROM versions UNION ALL SELECT layout FROM backups) l) AS kept,
       (SELECT sum(octet_length(definition))::int FROM (
         SELECT ${definitionSql("v")}::text AS definition FROM versions v
         UNION ALL SELECT ${definitionSql("b")}::text FROM backups b) d) AS whole`,
  );
  return row!;
}

test("fifteen publications store unchanged parts once, and each reads as published", async () => {
  const { surveyId } = await fixture.create({ name: "Often", questions: Array.from({ length: 20 }, heavy) });
  const ids = (await fixture.elements(surveyId)).map(({ id }) => id as string);
  const versions: string[] = [];
  for (let at = 0; at < 15; at++) {
    later(1);
    await reword(ids[at]!, `Wording ${at}`);
    versions.push((await fixture.publish(surveyId)).versionId);
  }
  const { questions, kept, whole } = await sizes();
  expect(questions).toBe(20 + 14);
  expect(kept * 10).toBeLessThan(whole);
  for (const [at, versionId] of versions.entries()) {
    const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, person);
    const wordings = (JSON.parse(definitionJson) as { pages: { elements: { text: string }[] }[] }).pages[0]!.elements;
    const expected = ids.map((_, index) => (index <= at ? `Wording ${index}` : "Which?"));
    expect(wordings.map(({ text }) => text)).toEqual(expected);
  }
});

test("questions with equal texts are kept one by one, and pages keep their order", async () => {
  const titled = (pageTitle: string) => question("same", { pageTitle });
  const { surveyId } = await fixture.create({ name: "Twice", questions: [titled("A"), question("same"), titled("B")] });
  const { versionId } = await fixture.publish(surveyId);
  const { definitionJson } = await fixture.client.getVersion({ surveyId, versionId }, person);
  const { pages } = JSON.parse(definitionJson) as { pages: { title: string; elements: { elementId: string }[] }[] };
  expect(pages.map(({ title, elements }) => [title, elements.length])).toEqual([
    ["A", 2],
    ["B", 1],
  ]);
  const ids = (await fixture.elements(surveyId)).map(({ id }) => id as string);
  expect(pages.flatMap(({ elements }) => elements.map(({ elementId }) => elementId))).toEqual(ids);
});

test("questions that only deleted backups held are deleted; those of a version or another backup stay", async () => {
  const { surveyId } = await fixture.create({ name: "Dropped", questions: [question("published")] });
  const [published] = await fixture.elements(surveyId);
  await fixture.publish(surveyId);
  await reword(published!["id"], "only in the first backup");
  await backUp(surveyId);
  await reword(published!["id"], "in every other backup");
  for (let count = 0; count < 30; count++) {
    later(1);
    await backUp(surveyId);
  }
  const kept = await fixture.sql<{ text: string }>("SELECT question ->> 'text' AS text FROM kept_questions ORDER BY 1");
  expect(kept.map(({ text }) => text)).toEqual(["in every other backup", "published"]);
});

test("no automatic backup is made if the newest has the same draft", async () => {
  const { surveyId } = await fixture.create({ name: "Equal", questions: [question("a")] });
  later(20);
  await backUp(surveyId);
  await fixture.publish(surveyId);
  expect(await reasons(surveyId)).toEqual(["manual"]);
  later(20);
  await fixture.add(surveyId, { questions: [question("b")] });
  expect(await reasons(surveyId)).toEqual(["manual"]);
  await fixture.add(surveyId, { questions: [question("c")] });
  await fixture.publish(surveyId);
  expect(await reasons(surveyId)).toEqual(["before_publish", "auto", "manual"]);
  await backUp(surveyId);
  expect(await reasons(surveyId)).toEqual(["manual", "before_publish", "auto", "manual"]);
});

test("the migration preserves stored data byte for byte", async () => {
  const { surveyId } = await fixture.create({
    name: "Before",
    questions: [heavy(), heavy(), question("ß", { pageTitle: "Ü" })],
  });
  const [first, second] = await fixture.elements(surveyId);
  const { versionId } = await fixture.publish(surveyId);
  await reword(first!["id"], "Other");
  await fixture.remove(second!["id"]);
  const backupId = await backUp(surveyId);
  const [before, size] = [await stored(), await sizes()];
  for (const [table, row] of [
    ["versions", "v"],
    ["backups", "b"],
  ] as const) {
    await fixture.sql(`ALTER TABLE ${table} ADD COLUMN definition jsonb`);
    await fixture.sql(`UPDATE ${table} ${row} SET definition = ${definitionSql(row)}`);
    await fixture.sql(`ALTER TABLE ${table} DROP COLUMN layout, ALTER COLUMN definition SET NOT NULL`);
  }
  await fixture.sql("DROP TABLE kept_questions");
  const path = new URL("../prisma/migrations/20261122070000_keep_questions_once/migration.sql", import.meta.url);
  await fixture.sql(await readFile(path, "utf8"));
  expect([await stored(), await sizes()]).toEqual([before, size]);
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, person);
  expect(await fixture.elements(surveyId)).toHaveLength(3);
  await fixture.client.restoreBackup({ surveyId, backupId, ifMatch: ["*"] }, person);
  expect(await fixture.elements(surveyId)).toHaveLength(2);
});
