import { openDatabase, type Sql } from "@canvass/postgres";
import { createTestDatabase } from "@canvass/testing";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PrismaClient } from "../gen/prisma/client.ts";
import { hasAnswers } from "../src/storage/results/results.ts";

const statements: string[] = [];
const running = new AsyncDisposableStack();
let prisma: PrismaClient;
let sql: Sql;

beforeAll(async () => {
  const { url } = running.use(await createTestDatabase(join(import.meta.dirname, "../prisma/migrations")));
  const createPrisma: Parameters<typeof openDatabase<PrismaClient>>[0]["createPrisma"] = (adapter) =>
    new PrismaClient({ adapter });
  const database = running.use(openDatabase({ url, poolSize: 2, applicationName: "has-answers", createPrisma }));
  ({ prisma } = database);
  sql = {
    query: (text, params) => {
      statements.push(text);
      return database.sql.query(text, params);
    },
  };
});
afterAll(() => running.disposeAsync());

async function count(surveyId: string, questionId: string, ...responses: number[]): Promise<void> {
  const key = { workspaceId: "workspace", surveyId, questionId };
  const zero = { respondents: 0, sum: 0 };
  await prisma.questionCounter.createMany({
    data: responses.map((counted, shard) => ({ ...key, ...zero, shard, responses: counted })),
  });
}

test("a survey has answers if the counters of any question add up to more than zero", async () => {
  await count("answered", "a", 1, -1);
  await count("answered", "b", -1, 2);
  await count("withdrawn", "a", 1, -1);
  await count("withdrawn", "b", 0);
  expect(await hasAnswers(sql, { workspaceId: "workspace", surveyId: "answered" })).toBe(true);
  expect(await hasAnswers(sql, { workspaceId: "workspace", surveyId: "withdrawn" })).toBe(false);
  expect(await hasAnswers(sql, { workspaceId: "workspace", surveyId: "absent" })).toBe(false);
  expect(await hasAnswers(sql, { workspaceId: "foreign", surveyId: "answered" })).toBe(false);
});

test("one statement adds up the counters in the database", async () => {
  statements.length = 0;
  await hasAnswers(sql, { workspaceId: "workspace", surveyId: "answered" });
  expect(statements).toEqual([expect.stringMatching(/GROUP BY .* HAVING sum.* LIMIT/)]);
});
