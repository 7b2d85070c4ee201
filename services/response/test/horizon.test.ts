import { inTransaction, sqlFromPg, type Sql } from "@canvass/postgres";
import { createTestDatabase } from "@canvass/testing";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beginWrite, findHorizon } from "../src/storage/advisory-locks.ts";
import { surveyId, workspaceId } from "./questions.ts";

const survey = { workspaceId, surveyId };
const others = [
  { workspaceId, surveyId: "othersurvey00000" },
  { workspaceId: "otherworkspace00", surveyId },
];

const parts = new AsyncDisposableStack();
let pool: Pool;
let sql: Sql;
beforeAll(async () => {
  const { url } = parts.use(await createTestDatabase(join(import.meta.dirname, "../prisma/migrations")));
  pool = parts.adopt(new Pool({ connectionString: url, max: 20 }), (open) => open.end());
  sql = sqlFromPg(pool);
});
afterAll(() => parts.disposeAsync());

/** A transaction that begins to write now and ends when it is let. */
async function startWriter(surveys = [survey]) {
  const begun = Promise.withResolvers<Date>();
  const ending = Promise.withResolvers<boolean>();
  const ended = inTransaction(pool, async (transaction) => {
    begun.resolve(await beginWrite(transaction, surveys, undefined));
    if (!(await ending.promise)) throw new Error("given up");
  });
  return {
    at: await begun.promise,
    commit: async () => (ending.resolve(true), ended),
    rollBack: async () => (ending.resolve(false), ended.catch(() => undefined)),
  };
}

const horizon = () => findHorizon(sql, survey, undefined);

test("the horizon stays before the oldest open writer of the survey, however it ends, and ignores other surveys", async () => {
  const before = await horizon();
  const first = await startWriter();
  const second = await startWriter();
  const stranger = await startWriter(others);
  expect(first.at >= before).toBe(true);
  expect((await horizon()) <= first.at).toBe(true);
  await first.commit();
  expect((await horizon()) <= second.at).toBe(true);
  await second.rollBack();
  expect((await horizon()) >= stranger.at).toBe(true);
  expect((await findHorizon(sql, others[0]!, undefined)) <= stranger.at).toBe(true);
  await stranger.commit();
});

test("the horizon stays before a writer whose connection ends without a word, until it has ended", async () => {
  const client = await pool.connect();
  await client.query("BEGIN");
  const at = await beginWrite(sqlFromPg(client), [survey], undefined);
  expect((await horizon()) <= at).toBe(true);
  client.release(true);
  await expect.poll(horizon).toSatisfy((time: Date) => time > at);
});

test("a batch of many surveys holds each of them, and other locks of the database hold none", async () => {
  const surveys = Array.from({ length: 500 }, (_, index) => ({ workspaceId, surveyId: `${index}`.padStart(16, "s") }));
  const writer = await startWriter([...surveys, ...surveys]);
  const horizons = await Promise.all([0, 250, 499].map((index) => findHorizon(sql, surveys[index]!, undefined)));
  expect(horizons.every((time) => time <= writer.at)).toBe(true);
  await writer.commit();
  await inTransaction(pool, async (transaction) => {
    const at = Date.now();
    await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0) << 42) IS NULL AS locked", [
      `${workspaceId} ${surveyId}`,
    ]);
    await transaction.query("SELECT pg_advisory_xact_lock_shared(1, 2) IS NULL AS locked, $1::int", [1]);
    expect((await horizon()).getTime()).toBeGreaterThanOrEqual(at - 1000);
  });
});

test("random commits of sixteen writers never come before a published horizon", async () => {
  await pool.query("CREATE TABLE moments (at timestamptz(3), writer int)");
  const writers = { left: 16 };
  const write = async (writer: number) => {
    for (let round = 0; round < 40; round += 1) {
      await inTransaction(pool, async (transaction) => {
        const at = await beginWrite(transaction, [survey], undefined);
        if ((round + writer) % 3 === 0)
          await transaction.query("SELECT count(*) FROM generate_series(1, $1::int)", [writer * 3000]);
        await transaction.query("INSERT INTO moments VALUES ($1, $2)", [at, writer]);
      });
    }
    writers.left -= 1;
  };
  const told: { horizon: Date; count: number }[] = [];
  const read = async () => {
    while (writers.left > 0) {
      const time = await horizon();
      const [row] = await sql.query<{ count: number }>("SELECT count(*)::int AS count FROM moments WHERE at < $1", [
        time,
      ]);
      told.push({ horizon: time, count: row!.count });
    }
  };
  await Promise.all([read(), read(), ...Array.from({ length: 16 }, (_, writer) => write(writer))]);
  expect(told.length).toBeGreaterThan(20);
  for (const { horizon: time, count } of told) {
    const [row] = await sql.query<{ count: number }>("SELECT count(*)::int AS count FROM moments WHERE at < $1", [
      time,
    ]);
    expect(row!.count).toBe(count);
  }
  expect(Math.max(...told.map(({ count }) => count))).toBeGreaterThan(0);
});
