import { inTransaction, sqlFromPg, type Sql } from "@canvass/postgres";
import { testPostgresUrl } from "@canvass/testing";
import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLeaseQueue, type Lease } from "../src/index.ts";

interface Task {
  workspaceId: string;
  taskId: string;
  text: string;
}

const table = `tasks_${randomBytes(6).toString("hex")}`;
const queue = createLeaseQueue<Task>({ table, key: ["workspace_id", "task_id"], columns: { text: "text" } });
const start = new Date("2026-03-01T12:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
const leaseMs = 1000;
let pool: Pool;
let sql: Sql;

beforeAll(async () => {
  pool = new Pool({ connectionString: await testPostgresUrl(), max: 8 });
  sql = sqlFromPg(pool);
  await pool.query(`CREATE TABLE ${table} (workspace_id text, task_id text, text text, due_at timestamptz, lease_id text,
    attempts int NOT NULL DEFAULT 0, error text, PRIMARY KEY (workspace_id, task_id))`);
});
afterAll(async () => {
  await pool.query(`DROP TABLE ${table}`);
  await pool.end();
});
beforeEach(() => pool.query(`TRUNCATE ${table}`));

const add = (...due: Date[]): Promise<void> => addTo("w1", ...due);

async function addTo(workspaceId: string, ...due: Date[]): Promise<void> {
  for (const [index, at] of due.entries()) {
    const values = [workspaceId, `t${index}`, `text ${index}`, at.toISOString()];
    await pool.query(`INSERT INTO ${table} (workspace_id, task_id, text, due_at) VALUES ($1, $2, $3, $4)`, values);
  }
}

const claim = (now = start, limit = 10): Promise<(Task & Lease)[]> => queue.claim(sql, { now, leaseMs, limit });

test("due rows are claimed, oldest first, up to the limit", async () => {
  await add(after(-1), after(-5), after(1));
  expect(await claim(start, 1)).toEqual([
    { workspaceId: "w1", taskId: "t1", text: "text 1", leaseId: expect.any(String), attempts: 1 },
  ]);
  expect((await claim()).map(({ taskId }) => taskId)).toEqual(["t0"]);
  expect(await queue.nextDue(sql)).toEqual(after(1));
});

test("`only` restricts claims and the next due time to allowed values", async () => {
  await add(after(-2), after(-1));
  const only = { text: ["text 1", "it's"] };
  expect(await queue.nextDue(sql, only)).toEqual(after(-1));
  expect(await queue.claim(sql, { now: start, leaseMs, limit: 10, only })).toMatchObject([{ taskId: "t1" }]);
  expect(await queue.nextDue(sql, { text: [] })).toBeUndefined();
});

test("sixteen workers never get the same row", async () => {
  await add(...Array.from({ length: 40 }, (_, n) => after(-n)));
  const claims = await Promise.all(Array.from({ length: 16 }, () => claim(start, 3)));
  const taken = claims.flat().map(({ taskId }) => taskId);
  expect(new Set(taken).size).toBe(taken.length);
});

test("one row at a time is claimed per owner, even by concurrent claims", async () => {
  for (const workspaceId of ["w1", "w2", "w3"]) await addTo(workspaceId, after(-2), after(-1), after(-1));
  // Without a claim's second statement, which locks the owner's other rows.
  const claimFair = async (on = sql) => {
    const query: Sql["query"] = async (text, values) => (text.includes("WITH due") ? on.query(text, values) : []);
    return queue.claim({ query }, { now: start, leaseMs, limit: 1, roundRobinBy: "workspace_id" });
  };
  const claimSix = async () => (await Promise.all(Array.from({ length: 6 }, () => claimFair()))).flat();
  const taken = await inTransaction(pool, async (transaction) => [
    ...(await claimFair(transaction)),
    ...(await claimSix()),
  ]);
  taken.push(...(await claimSix()));
  expect(taken.map(({ workspaceId }) => workspaceId).toSorted()).toEqual(["w1", "w2", "w3"]);
});

test("a row whose lease has ended goes to another worker, and the first can no longer change it", async () => {
  await add(after(-1));
  const [first] = await claim();
  expect(await claim(after(leaseMs - 1))).toEqual([]);
  const [second] = await claim(after(leaseMs));
  expect(second).toMatchObject({ taskId: "t0", attempts: 2 });
  expect(await queue.settle(sql, first!, { due_at: null, error: "late" })).toBe(false);
  expect(await queue.extend(sql, first!, after(9000))).toBe(false);
  expect(await queue.settle(sql, second!, { due_at: null, error: null })).toBe(true);
  expect((await pool.query(`SELECT due_at, lease_id, error FROM ${table}`)).rows).toEqual([
    { due_at: null, lease_id: null, error: null },
  ]);
  expect(await queue.nextDue(sql)).toBeUndefined();
});

test("a lease can be extended, and a row postponed", async () => {
  await add(after(-1));
  const [row] = await claim();
  expect(await queue.extend(sql, row!, after(5000))).toBe(true);
  expect(await claim(after(4999))).toEqual([]);
  expect(await queue.settle(sql, row!, { due_at: after(6000), error: "try again" })).toBe(true);
  expect(await claim(after(5999))).toEqual([]);
  expect(await claim(after(6000))).toMatchObject([{ taskId: "t0", attempts: 2 }]);
});

test("what a clock an hour ahead has leased or put off does not wait for that hour once it is set back", async () => {
  const hour = 3_600_000;
  const due = async () => (await pool.query(`SELECT task_id AS id, due_at AS at FROM ${table} ORDER BY 1`)).rows;
  await add(after(-1), after(-1), after(-1), after(5000));
  const [, putOff, putOffLong] = await claim(after(hour), 3);
  await queue.settle(sql, putOff!, { due_at: after(hour + 9000) });
  await queue.settle(sql, putOffLong!, { due_at: after(8000) });
  await queue.repairDueTimes(sql, { now: start, leaseMs, longestWaitMs: 10_000 });
  const end = after(leaseMs);
  expect((await due()).map(({ at }) => at).sort((a, b) => a - b)).toEqual([end, end, end, after(8000)]);
  expect(await claim(after(leaseMs))).toHaveLength(3);
  // A clock that is right changes nothing.
  const right = await due();
  await queue.repairDueTimes(sql, { now: after(leaseMs), leaseMs, longestWaitMs: 10_000 });
  expect(await due()).toEqual(right);
});

test("a claim that is rolled back has no effect", async () => {
  await add(after(-1));
  const failing = inTransaction(pool, async (transaction) => {
    await queue.claim(transaction, { now: start, leaseMs, limit: 1 });
    throw new Error("killed");
  });
  await expect(failing).rejects.toThrow("killed");
  expect(await claim()).toMatchObject([{ attempts: 1 }]);
});
