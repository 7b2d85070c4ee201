import { waitFor } from "@canvass/testing";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdSql, lockKey } from "./held-imports.ts";
import { startContactsSystem, workspaceId, type ContactsSystem } from "./contacts-system.ts";

const total = 2_000;
const patience = { timeoutMs: 60_000 };

test("after kill -9 another process continues after the last chunk, and every row is stored once", async () => {
  await using system = await startContactsSystem({ now: () => new Date() });
  const rows = Array.from({ length: total }, (_, n) => ({ email: `p${n}@example.org` }));
  const bodyJson = JSON.stringify({ rows, mode: "create" });
  // Only other processes work on it.
  await system.sql("ALTER TABLE jobs ADD CONSTRAINT held CHECK (lease_id IS NULL) NOT VALID");
  const source = { case: "bodyJson" as const, value: bodyJson };
  await system.contacts.createImport({ source }, system.as());
  await system.stop();
  await system.sql("ALTER TABLE jobs DROP CONSTRAINT held");
  await system.sql("UPDATE jobs SET due_at = now(), attempts = 0");

  const done = async () => (await system.sql<{ done: number }>("SELECT done FROM jobs"))[0]!.done;
  await system.sql(holdSql);
  const holder = await system.pool.connect();
  await holder.query("SELECT pg_advisory_lock($1)", [lockKey]);
  await using first = startProcess(system);
  const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await waitFor(async () => (await system.sql(waiting, [lockKey])).length > 0, {
    describe: "another piece",
    ...patience,
  });
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  // PostgreSQL would go on with the statement that waits.
  await system.sql(`SELECT pg_terminate_backend(pid) FROM (${waiting})`, [lockKey]);
  await holder.query("SELECT pg_advisory_unlock($1)", [lockKey]);
  holder.release();
  await system.sql("DROP TRIGGER held ON jobs");
  const before = await done();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThanOrEqual(500);
  // As if its lease had run out.
  await system.sql("UPDATE jobs SET due_at = now()");
  await using _second = startProcess(system);
  const outcome = async () => (await system.sql("SELECT * FROM contact_imports"))[0]!;
  await waitFor(async () => (await outcome())["completed_at"], { describe: "the import", ...patience });
  expect(await outcome()).toMatchObject({ total, created: total, updated: 0, skipped: 0, failed: 0 });
  const count = `SELECT count(*)::int AS contacts, count(DISTINCT email_key)::int AS emails FROM contacts`;
  expect(await system.sql(count)).toEqual([{ contacts: total, emails: total }]);
  const counted = "SELECT sum(contacts)::int AS active FROM contact_counters WHERE workspace_id = $1";
  expect(await system.sql(counted, [workspaceId])).toEqual([{ active: total }]);
  expect(await system.sql("SELECT 1 FROM staged_rows")).toEqual([]);
});

/** The service in its own process. */
function startProcess({ environment }: ContactsSystem) {
  const env = { ...process.env, ...environment, NODE_ENV: "test" };
  const child = fork(join(import.meta.dirname, "../src/main.ts"), { env, execArgv: [], stdio: "ignore" });
  return { child, [Symbol.asyncDispose]: async () => void child.kill("SIGKILL") };
}
