import { sqlFromPg, type Sql } from "@canvass/postgres";
import { callOptions } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { findAnswerCounts, findAnswerSets } from "../src/storage/answers/answer-set-pages.ts";
import { findRespondents } from "../src/storage/respondents/respondent-pages.ts";
import { ratingQuestion, startHarness, surveyId, testId, workspaceId } from "./harness.ts";

const people = 40;
const filter = { workspaceId, surveyId };
const size = { rows: 500, bytes: 64 * 1024 };
const harness = await sharedByFile(startHarness([[ratingQuestion("a"), ratingQuestion("b")]]));
beforeEach(async () => {
  await harness.pool.query("TRUNCATE respondents, answer_sets");
  for (let index = 0; index < people; index += 1) {
    const respondentId = await harness.start();
    const responses = ["a", "b"].map((name) => ({ elementId: testId(name), value: 3 }));
    await harness.submit({ respondentId, responses });
    harness.clock.advance(1000);
  }
});

/** Gives everybody's answer a megabyte that packs into some pages. */
async function makeHeavy(): Promise<void> {
  await harness.pool.query(
    `UPDATE answer_sets SET answers = answers || jsonb_build_object($1::text, repeat('x', 1000000))`,
    [testId("a")],
  );
}

interface Plan {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

/** How many blocks the database reads for a page. */
async function blocksOf(read: (sql: Sql) => Promise<unknown>): Promise<number> {
  let blocks = 0;
  const query = async (text: string, params?: readonly unknown[]) => {
    const explained = await harness.pool.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, SERIALIZE, FORMAT JSON) ${text}`,
      [...(params ?? [])],
    );
    const { Plan: plan } = explained.rows[0]!["QUERY PLAN"][0]!;
    blocks += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    return [];
  };
  await read({ query });
  return blocks;
}

test("a page does not unpack the heavy answers it leaves out", async () => {
  const reads = [
    (sql: Sql) => findAnswerSets(sql, { filter, after: undefined }, size),
    (sql: Sql) => findAnswerSets(sql, { filter: { ...filter, elementId: testId("b") }, after: undefined }, size),
    (sql: Sql) => findAnswerSets(sql, { filter: { ...filter, isCompleted: true }, after: undefined }, size),
    (sql: Sql) => findRespondents(sql, { filter, after: undefined, size, withAnswers: true }),
  ];
  const light = await Promise.all(reads.map(blocksOf));
  await makeHeavy();
  for (const [index, read] of reads.entries()) {
    // Unpacking one costs some ten blocks.
    expect(await blocksOf(read)).toBeLessThan(light[index]! + 5 * people);
  }
});

test("a page of respondents reads a bounded length of answers, also when they are not shown", async () => {
  await makeHeavy();
  const options = callOptions({ signedCaller: harness.signed() });
  const met: string[] = [];
  for (let cursor = "", hasMore = true; hasMore;) {
    const page = await harness.client.listRespondents({ surveyId, limit: 100, cursor }, options);
    expect(page.respondents.length).toBeLessThan(people / 2);
    met.push(...page.respondents.map(({ respondentId }) => respondentId));
    ({ nextCursor: cursor, hasMore } = page);
  }
  expect(new Set(met).size).toBe(people);
  expect(met).toHaveLength(people);
});

test("counting to a page by number unpacks a bounded amount, and the cursor has the rest", async () => {
  const weighing = { ...size, bytes: 1_000_000 };
  const counting = (sql: Sql) => findAnswerCounts(sql, { filter, after: undefined }, weighing);
  const light = await blocksOf(counting);
  await makeHeavy();
  const { rows, isLast } = await findAnswerCounts(sqlFromPg(harness.pool), { filter, after: undefined }, weighing);
  expect([rows.length > 0, rows.length < people / 2, isLast]).toEqual([true, true, false]);
  expect(await blocksOf(counting)).toBeLessThan(light + 15 * rows.length + 5 * people);
});
