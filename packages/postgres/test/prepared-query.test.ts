import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction, openPool, sqlFromPg, type OpenPool } from "../src/index.ts";
import { createScratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
let opened: OpenPool;
let descriptions = 0;

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
  opened = openPool({ url: scratch.url, poolSize: 1, applicationName: "prepared" });
  opened.pool.on("connect", ({ connection }) => connection.on("rowDescription", () => (descriptions += 1)));
});

afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
  await scratch?.[Symbol.asyncDispose]();
});

const DIVIDE =
  "SELECT 12 / number AS quotient, name, NULL AS nothing FROM unnest($1::int[], $2::text[]) AS n (number, name)";
const divide = (...numbers: number[]) => sqlFromPg(opened.pool).query(DIVIDE, [numbers, numbers.map(String)]);
const quotient = (number: number) => ({ quotient: 12 / number, name: String(number), nothing: null });

test("a statement is described once for each connection, and its rows stay the same", async () => {
  descriptions = 0;
  for (const numbers of [[1, 2], [], [3], [4, 6, 12]]) expect(await divide(...numbers)).toEqual(numbers.map(quotient));
  expect(descriptions).toBe(1);
});

test("statements that were described and such that were not are sent together", async () => {
  const other = "SELECT $1::boolean AS known";
  await inTransaction(opened.pool, async (sql) => {
    const asked = [sql.query(DIVIDE, [[2], ["2"]]), sql.query(other, [true]), sql.query(other, [false])];
    expect(await Promise.all(asked)).toEqual([[quotient(2)], [{ known: true }], [{ known: false }]]);
    expect(await sql.query(other, [null])).toEqual([{ known: null }]);
  });
});

test("a statement without rows, and one that failed, are asked for again", async () => {
  const touch = "UPDATE tallies SET count = count + 1 WHERE tally_id = $1";
  for (let time = 0; time < 3; time += 1) expect(await sqlFromPg(opened.pool).query(touch, ["absent"])).toEqual([]);
  for (let time = 0; time < 2; time += 1) await expect(divide(3, 0)).rejects.toThrow("division by zero");
  expect(await divide(3)).toEqual([quotient(3)]);
});

test("a failure's stack leads to who asked", async () => {
  const failure = (await divide(0).catch((error: unknown) => error)) as Error;
  expect(failure.stack).toContain("prepared-query.test.ts");
});

test("a statement whose columns changed fails as before, and is read right on a new connection", async () => {
  await scratch.query("CREATE TABLE shapes (id int); INSERT INTO shapes VALUES (1)");
  const sql = sqlFromPg(opened.pool);
  const read = "SELECT id FROM shapes WHERE id::text = $1";
  expect(await sql.query(read, ["1"])).toEqual([{ id: 1 }]);
  await scratch.query("ALTER TABLE shapes ALTER id TYPE text");
  await expect(sql.query(read, ["1"])).rejects.toThrow("cached plan must not change result type");
  await using fresh = openPool({ url: scratch.url, poolSize: 1, applicationName: "fresh" });
  expect(await sqlFromPg(fresh.pool).query(read, ["1"])).toEqual([{ id: "1" }]);
});
