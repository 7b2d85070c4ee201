import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction, openPool, sqlFromPg, type OpenPool } from "../src/index.ts";
import { createScratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
let opened: OpenPool;
let answers = 0;

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
  opened = openPool({ url: scratch.url, poolSize: 1, applicationName: "pieces" });
  opened.pool.on("connect", ({ connection }) => connection.on("readyForQuery", () => (answers += 1)));
  await scratch.query("CREATE TABLE notes (note text PRIMARY KEY)");
});

beforeEach(async () => {
  await scratch.query("TRUNCATE notes");
  await opened.pool.query("SELECT 1");
  answers = 0;
});

afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
  await scratch?.[Symbol.asyncDispose]();
});

const INSERT = "INSERT INTO notes VALUES ($1) RETURNING note";
const DIVIDE = "SELECT 12 / $1::int AS quotient";
const notes = async () =>
  (await sqlFromPg(opened.pool).query<{ note: string }>("SELECT note FROM notes ORDER BY 1")).map(({ note }) => note);

test("what a transaction asks for in one turn is answered as one, its beginning and its commit included", async () => {
  for (const note of ["first", "again, with statements that are known"]) {
    answers = 0;
    const rows = await inTransaction(opened.pool, async (sql) => {
      const inserted = await Promise.all([sql.query(INSERT, [note]), sql.query(DIVIDE, [4])]);
      expect(answers).toBe(1);
      return [...inserted, await sql.query(DIVIDE, [3])];
    });
    expect(rows).toEqual([[{ note }], [{ quotient: 3 }], [{ quotient: 4 }]]);
    expect(answers).toBe(3);
  }
  expect(await notes()).toHaveLength(2);
  answers = 0;
  await inTransaction(opened.pool, async (sql, last) => last(sql.query(INSERT, ["last"])));
  expect(answers).toBe(1);
  expect(await notes()).toContain("last");
});

test("a statement that fails fails those behind it and the transaction, and leaves those before it their answers", async () => {
  const settled = await inTransaction(opened.pool, async (sql) => {
    const asked = [
      sql.query(INSERT, ["lost"]),
      sql.query(DIVIDE, [0]),
      sql.query("SELECT $1::text AS unknown yet", ["new"]),
    ];
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(outcomes[0]).toMatchObject({ value: [{ note: "lost" }] });
  }).catch((error: unknown) => error);
  expect(settled).toBeInstanceOf(Error);
  expect(await notes()).toEqual([]);
});

test("a statement that was skipped is sent whole the next time", async () => {
  const skipped = "SELECT $1::int + 1 AS skipped";
  const failing = inTransaction(opened.pool, async (sql, last) => {
    last(Promise.all([sql.query(DIVIDE, [0]), sql.query(skipped, [1])]));
  });
  await expect(failing).rejects.toThrow("division by zero");
  expect(await inTransaction(opened.pool, (sql) => sql.query(skipped, [1]))).toEqual([{ skipped: 2 }]);
});

test("values that cannot be sent fail the transaction, and nothing of it is left open", async () => {
  const endless: unknown[] = [];
  endless.push({ endless });
  const failing = inTransaction(opened.pool, async (sql, last) => {
    last(Promise.all([sql.query(INSERT, ["lost"]), sql.query(DIVIDE, [{ endless }]), sql.query(INSERT, ["behind"])]));
  });
  await expect(failing).rejects.toThrow("circular");
  expect(await notes()).toEqual([]);
  expect(await inTransaction(opened.pool, (sql) => sql.query(DIVIDE, [2]))).toEqual([{ quotient: 6 }]);
});

test("a transaction that throws before its statements are sent begins and ends nothing else", async () => {
  const failing = inTransaction(opened.pool, async (sql) => {
    void sql.query(INSERT, ["lost"]).catch(() => undefined);
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await notes()).toEqual([]);
  const state =
    "SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = $1 AND state LIKE 'idle in%'";
  expect(await scratch.query(state, ["pieces"])).toEqual([{ open: 0 }]);
});

test("statements without parameters keep their place, several in one text too", async () => {
  await inTransaction(opened.pool, async (sql) => {
    const asked = [
      sql.query(INSERT, ["one"]),
      sql.query("UPDATE notes SET note = note || ' two'; UPDATE notes SET note = note || ' three'"),
      sql.query("UPDATE notes SET note = note || $1", [" four"]),
    ];
    await Promise.all(asked);
  });
  expect(await notes()).toEqual(["one two three four"]);
});
