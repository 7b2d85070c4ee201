import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction, openPool, sqlFromPg, type OpenPool } from "../src/index.ts";
import { createScratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
let opened: OpenPool;

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
  opened = openPool({ url: scratch.url, poolSize: 1, applicationName: "in-transaction" });
  await scratch.query("CREATE TABLE notes (note text PRIMARY KEY)");
});

beforeEach(async () => {
  await scratch.query("TRUNCATE notes");
});

afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
  await scratch?.[Symbol.asyncDispose]();
});

const INSERT = "INSERT INTO notes VALUES ($1) RETURNING note";
const DIVIDE = "SELECT 12 / $1::int AS quotient";
const notes = async () =>
  (await sqlFromPg(opened.pool).query<{ note: string }>("SELECT note FROM notes ORDER BY 1")).map(({ note }) => note);

test("statements that are sent without waiting run in their order, those sent last with the commit", async () => {
  for (const note of ["first", "again, with statements that are known"]) {
    const rows = await inTransaction(opened.pool, async (sql, defer) => {
      const inserted = await Promise.all([sql.query(INSERT, [note]), sql.query(DIVIDE, [4])]);
      defer(sql.query(INSERT, [`${note}, last`]));
      return [...inserted, await sql.query(DIVIDE, [3])];
    });
    expect(rows).toEqual([[{ note }], [{ quotient: 3 }], [{ quotient: 4 }]]);
  }
  expect(await notes()).toHaveLength(4);
});

test("a statement that fails fails those behind it with its error and the transaction; those before it keep their rows", async () => {
  const failing = inTransaction(opened.pool, async (sql) => {
    const asked = [
      sql.query(INSERT, ["lost"]),
      sql.query(DIVIDE, [0]),
      sql.query("SELECT $1::text AS unknown yet", ["new"]),
      sql.query("SELECT 1"),
    ];
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes[0]).toMatchObject({ value: [{ note: "lost" }] });
    for (const outcome of outcomes.slice(1)) expect(outcome).toMatchObject({ reason: { message: "division by zero" } });
  });
  await expect(failing).rejects.toThrow("division by zero");
  expect(await notes()).toEqual([]);
});

test("a statement that was skipped is prepared the next time", async () => {
  const skipped = "SELECT $1::int + 1 AS skipped";
  const failing = inTransaction(opened.pool, async (sql, defer) => {
    defer(Promise.all([sql.query(DIVIDE, [0]), sql.query(skipped, [1])]));
  });
  await expect(failing).rejects.toThrow("division by zero");
  expect(await inTransaction(opened.pool, (sql) => sql.query(skipped, [1]))).toEqual([{ skipped: 2 }]);
});

const endless: unknown[] = [];
endless.push({ endless });

test.each([
  ["a document", { endless }],
  ["a list", [{ endless }]],
])("values that cannot be sent, in %s, fail the transaction, and nothing of it is left open", async (_, value) => {
  const failing = inTransaction(opened.pool, async (sql, defer) => {
    defer(Promise.all([sql.query(INSERT, ["lost"]), sql.query(DIVIDE, [value]), sql.query(INSERT, ["behind"])]));
  });
  await expect(failing).rejects.toThrow("circular");
  expect(await notes()).toEqual([]);
  expect(await inTransaction(opened.pool, (sql) => sql.query(DIVIDE, [2]))).toEqual([{ quotient: 6 }]);
});

test("a transaction that throws without waiting for its statements leaves nothing of them", async () => {
  const failing = inTransaction(opened.pool, async (sql) => {
    void sql.query(INSERT, ["lost"]).catch(() => undefined);
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await notes()).toEqual([]);
  const state =
    "SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = $1 AND state LIKE 'idle in%'";
  expect(await scratch.query(state, ["in-transaction"])).toEqual([{ open: 0 }]);
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

test("the stack of a failed statement names its caller", async () => {
  const failure = (await sqlFromPg(opened.pool)
    .query(DIVIDE, [0])
    .catch((error: unknown) => error)) as Error;
  expect(failure.stack).toContain("in-transaction.test.ts");
});
