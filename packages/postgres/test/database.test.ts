import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  inTransaction,
  isConflict,
  openDatabase,
  openPool,
  retryOnConflict,
  sqlFromPg,
  sqlFromPrisma,
} from "../src/index.ts";
import type { Database, Sql } from "../src/index.ts";
import { PrismaClient } from "./fixture/gen/prisma/client.ts";
import { createScratchDatabase } from "./scratch-database.ts";
import type { ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
let db: Database<PrismaClient>;
const lost: Error[] = [];

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
  db = openDatabase({
    url: scratch.url,
    poolSize: 4,
    applicationName: "database-test",
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    onConnectionLost: (error) => lost.push(error),
  });
});

afterAll(async () => {
  await db?.[Symbol.asyncDispose]();
  await scratch?.[Symbol.asyncDispose]();
});

const tally = (tallyId: string) => ({
  workspaceId: "w",
  tallyId,
  count: 1n,
  at: new Date(0),
  data: new Uint8Array([1]),
});
const countOf = async (tallyId: string) => db.prisma.tally.count({ where: { workspaceId: "w", tallyId } });
const INSERT = "INSERT INTO tallies (workspace_id, tally_id, count, at, data) VALUES ('w', $1, 1, $2, $3)";
const insert = (sql: Sql, tallyId: string) => sql.query(INSERT, [tallyId, new Date(0), new Uint8Array([1])]);
const touch = (sql: Sql, id: string) => sql.query("UPDATE tallies SET count = count + 1 WHERE tally_id = $1", [id]);
const bytes = ([row = {}]: Record<string, unknown>[]) => ({ ...row, bytes: [...(row["bytes"] as Uint8Array)] });

describe("openDatabase", () => {
  test("Prisma and plain SQL share one pool, with name and time limit set", async () => {
    await db.prisma.tally.create({ data: tally("shared") });
    expect(await db.sql.query("SELECT count FROM tallies WHERE tally_id = $1", ["shared"])).toEqual([{ count: "1" }]);
    await Promise.all(Array.from({ length: 30 }, () => db.prisma.tally.findFirst({ where: { workspaceId: "w" } })));
    const sessions = await scratch.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'database-test'");
    expect(sessions.length).toBe(db.pool.totalCount);
    expect(sessions.length).toBeLessThanOrEqual(4);
    const [limit] = await db.sql.query("SHOW statement_timeout");
    expect(limit).toEqual({ statement_timeout: "10s" });
  });

  test("a statement that takes longer than it may is cancelled", async () => {
    const given = { url: scratch.url, poolSize: 1, applicationName: "hasty", statementTimeoutMs: 100 };
    await using hasty = openPool(given);
    await expect(hasty.pool.query("SELECT pg_sleep(60)")).rejects.toThrow(/statement timeout/);
  });

  test("hot statements are planned once, by index also while a table is small", async () => {
    const find =
      "SELECT t.count FROM unnest($1::text[]) AS id JOIN tallies t ON (t.workspace_id, t.tally_id) = ('w', id)";
    for (let time = 0; time < 7; time += 1) await db.hot.sql.query(find, [["shared", "absent"]]);
    const plans = await db.hot.sql.query("SELECT generic_plans, custom_plans FROM pg_prepared_statements");
    expect(plans).toEqual([{ generic_plans: "7", custom_plans: "0" }]);
    const explained = await db.hot.sql.query<Record<string, string>>(`EXPLAIN ${find.replace("$1", "'{shared}'")}`);
    expect(explained.flatMap(Object.values).join("\n")).toMatch(/Nested Loop[^]*Index (Only )?Scan/);
    const { hot, pool } = db;
    expect(hot.pool.options.max + pool.options.max).toBe(4);
  });

  test.each([
    ["soon made anew for the rows it has by then", 0, "Index Cond"],
    ["kept meanwhile", 60_000, "Join Filter"],
  ])("a plan that was made while a table was empty is %s", async (_what, plansKeptMs, found) => {
    await using fresh = await createScratchDatabase({ migrated: true });
    await fresh.query("VACUUM ANALYZE tallies");
    const given = { url: fresh.url, poolSize: 1, applicationName: "plans", plans: "kept", plansKeptMs } as const;
    await using opened = openPool(given);
    const find =
      "SELECT t.count FROM unnest($1::text[]) AS id JOIN tallies t ON (t.workspace_id, t.tally_id) = ('w', id)";
    const explain = async () => {
      const { rows } = await opened.pool.query("EXPLAIN EXECUTE find(NULL)");
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    };
    await opened.pool.query(`PREPARE find AS ${find}`);
    expect(await explain()).toContain("Join Filter");
    await fresh.query(`INSERT INTO tallies (workspace_id, tally_id, count, at, data)
      SELECT 'w', i, 1, now(), '' FROM generate_series(1, 5000) AS i`);
    expect(await explain()).toContain(found);
  });

  test("a time is stored exactly, for any time zone of the server", async () => {
    const at = new Date("2026-03-29T01:30:00.123Z");
    await scratch.query(`ALTER DATABASE ${new URL(scratch.url).pathname.slice(1)} SET TimeZone = 'Asia/Tokyo'`);
    await db.prisma.tally.create({ data: { ...tally("zone"), at } });
    const rows = await scratch.query<{ at: Date }>("SELECT at FROM tallies WHERE tally_id = 'zone'");
    expect(rows[0]?.at).toEqual(at);
  });

  test("survives its idle connections being cut", async () => {
    await db.sql.query("SELECT 1");
    await scratch.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'database-test'",
    );
    await expect.poll(() => db.pool.totalCount).toBe(0);
    expect(lost.length).toBeGreaterThan(0);
    expect(await db.sql.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await db.prisma.tally.count()).toBeGreaterThan(0);
  });

  test("opens while the database is away, fails on use, and can be disposed", async () => {
    const url = new URL(scratch.url);
    url.port = "1";
    const options = { url: url.href, poolSize: 2, applicationName: "away" };
    await using away = openDatabase({ ...options, createPrisma: (adapter) => new PrismaClient({ adapter }) });
    await expect(away.sql.query("SELECT 1")).rejects.toThrow("ECONNREFUSED");
    await expect(away.prisma.tally.count()).rejects.toThrow("Can't reach database server");
  });

  test("disposing closes every connection", async () => {
    const options = { url: scratch.url, poolSize: 3, applicationName: "closing" };
    const closing = openDatabase({ ...options, createPrisma: (adapter) => new PrismaClient({ adapter }) });
    await Promise.all([closing.prisma.tally.count(), closing.sql.query("SELECT 1"), closing.sql.query("SELECT 2")]);
    await closing[Symbol.asyncDispose]();
    const left = () => scratch.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'closing'");
    await expect.poll(left).toEqual([]);
  });
});

describe("Sql", () => {
  const params = [
    true,
    7,
    2.5,
    "text",
    { a: [1] },
    new Date("2026-01-02T03:04:05.678Z"),
    new Uint8Array([0, 255]),
    "9007199254740993",
    ["x", "y"],
  ];
  const select = `SELECT $1::bool AS b, $2::int4 AS i, $3::float8 AS f, $4::text AS t, $5::jsonb AS j, $6::timestamptz AS at,
    $7::bytea AS bytes, $8::int8 AS big, $9::text[] AS list, NULL::text AS nothing`;

  test("gives the same values through pg and through Prisma", async () => {
    const viaPg = await sqlFromPg(db.pool).query<Record<string, unknown>>(select, params);
    const viaPrisma = await db.prisma.$transaction((tx) =>
      sqlFromPrisma(tx).query<Record<string, unknown>>(select, params),
    );
    expect(bytes(viaPrisma)).toEqual(bytes(viaPg));
    expect(bytes(viaPg)).toEqual({
      b: true,
      i: 7,
      f: 2.5,
      t: "text",
      j: { a: [1] },
      at: new Date("2026-01-02T03:04:05.678Z"),
      bytes: [0, 255],
      big: "9007199254740993",
      list: ["x", "y"],
      nothing: null,
    });
  });

  test("prepares a statement once per connection", async () => {
    await inTransaction(db.pool, async (sql) => {
      const text = "SELECT $1::int4 + 1 AS prepared_once";
      await sql.query(text, [1]);
      await sql.query(text, [2]);
      const rows = await sql.query(
        "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%prepared_once%' AND name <> ''",
      );
      expect(rows).toHaveLength(1);
    });
  });
});

describe("inTransaction", () => {
  test("commits what resolves and rolls back what throws", async () => {
    await inTransaction(db.pool, (sql) => insert(sql, "kept"));
    const failing = inTransaction(db.pool, async (sql) => {
      await insert(sql, "dropped");
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect([await countOf("kept"), await countOf("dropped")]).toEqual([1, 0]);
  });

  test("does not report success when a statement failed and the failure was swallowed", async () => {
    const swallowing = inTransaction(db.pool, async (sql) => {
      await insert(sql, "swallowed");
      await sql.query("SELECT 1 / 0").catch(() => {});
    });
    await expect(swallowing).rejects.toThrow("division by zero");
    expect(await countOf("swallowed")).toBe(0);
  });

  test("deferred statements commit with the transaction, and one that fails fails all of it", async () => {
    await inTransaction(db.pool, async (sql, defer) => defer(insert(sql, "last")));
    expect(await countOf("last")).toBe(1);
    const failing = inTransaction(db.pool, async (sql, defer) => {
      await insert(sql, "before");
      defer(Promise.all([insert(sql, "with"), sql.query("SELECT 1 / 0")]));
    });
    await expect(failing).rejects.toThrow("division by zero");
    expect([await countOf("before"), await countOf("with")]).toEqual([0, 0]);
  });

  test("a statement that is asked for after its transaction is refused, not run outside of it", async () => {
    let late: Sql | undefined;
    await inTransaction(db.pool, async (sql) => void (late = sql));
    await expect(insert(late!, "late")).rejects.toThrow("after its transaction");
    expect(await countOf("late")).toBe(0);
  });

  test("a connection that dies during the work is replaced", async () => {
    const dying = inTransaction(db.pool, async (sql) => {
      await insert(sql, "dying");
      const [me] = await sql.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await scratch.query("SELECT pg_terminate_backend($1)", [me?.pid]);
      await sql.query("SELECT 1");
    });
    await expect(dying).rejects.toThrow(/terminat|connection/i);
    expect(await countOf("dying")).toBe(0);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => inTransaction(db.pool, (sql) => sql.query("SELECT 1 AS one"))),
    );
    expect(all.flat()).toHaveLength(12);
  });

  test("runs again, once, after a serialization failure", async () => {
    await inTransaction(db.pool, (sql) => insert(sql, "counter"));
    const increment = async (sql: Sql) => {
      const [row] = await sql.query<{ count: string }>("SELECT count FROM tallies WHERE tally_id = $1", ["counter"]);
      attempts++;
      await bothHaveRead();
      await sql.query("UPDATE tallies SET count = $1 WHERE tally_id = 'counter'", [Number(row?.count) + 1]);
    };
    let attempts = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const bothHaveRead = async () => {
      if (attempts >= 2) resolve();
      await promise;
    };
    const options = { retryOnce: true, isolation: "serializable" } as const;
    await Promise.all([inTransaction(db.pool, increment, options), inTransaction(db.pool, increment, options)]);
    expect(attempts).toBe(3);
    expect(await db.sql.query("SELECT count FROM tallies WHERE tally_id = $1", ["counter"])).toEqual([{ count: "3" }]);
  });

  test("of two transactions in a deadlock both succeed, one by its retry", async () => {
    await inTransaction(db.pool, async (sql) => [await insert(sql, "left"), await insert(sql, "right")]);
    const { promise, resolve } = Promise.withResolvers<void>();
    const committed = Promise.withResolvers<void>();
    let begun = 0;
    let arrived = 0;
    const both = (first: string, second: string) => async (sql: Sql) => {
      // The retry waits for the other commit: it might lock the row that the other waits for, a second deadlock.
      if (++begun > 2) await committed.promise;
      // PostgreSQL looks for deadlocks after a second otherwise.
      await sql.query("SET LOCAL deadlock_timeout = '100ms'");
      await touch(sql, first);
      if (++arrived === 2) resolve();
      await promise;
      await touch(sql, second);
    };
    const run = async (first: string, second: string) => {
      await inTransaction(db.pool, both(first, second), { retryOnce: true });
      committed.resolve();
    };
    await Promise.all([run("left", "right"), run("right", "left")]);
    expect(arrived).toBe(3);
    expect(await db.sql.query("SELECT count FROM tallies WHERE tally_id = ANY($1)", [["left", "right"]])).toEqual([
      { count: "3" },
      { count: "3" },
    ]);
  });
});

describe("retryOnConflict", () => {
  type Tx = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];
  const read = (tx: Tx, tallyId: string) => tx.tally.findFirstOrThrow({ where: { tallyId } });
  const writes: Record<string, (tx: Tx, tallyId: string) => Promise<unknown>> = {
    "Prisma's own write": (tx, tallyId) =>
      tx.tally.updateMany({ where: { tallyId }, data: { count: { increment: 1 } } }),
    "a raw statement": (tx, tallyId) => touch(sqlFromPrisma(tx), tallyId),
  };

  test.each(Object.entries(writes))("knows the conflict of two Prisma transactions in %s", async (name, write) => {
    await inTransaction(db.pool, (sql) => insert(sql, name));
    const { promise, resolve } = Promise.withResolvers<void>();
    const conflicts: unknown[] = [];
    let attempts = 0;
    const once = () =>
      db.prisma.$transaction(
        async (tx) => {
          await read(tx, name);
          if (++attempts === 2) resolve();
          await promise;
          await write(tx, name);
        },
        { isolationLevel: "Serializable" },
      );
    const watched = () => once().catch((error: unknown) => Promise.reject(conflicts.push(error) ? error : error));
    await Promise.all([retryOnConflict(watched), retryOnConflict(watched)]);
    expect(attempts).toBe(3);
    expect(conflicts.map(isConflict)).toEqual([true]);
    expect(await db.sql.query("SELECT count FROM tallies WHERE tally_id = $1", [name])).toEqual([{ count: "3" }]);
  });

  test("passes other failures unchanged", () => {
    expect([undefined, null, "40001", new Error("x"), { code: "23505" }, { code: 40001 }].map(isConflict)).toEqual(
      Array(6).fill(false),
    );
  });
});
