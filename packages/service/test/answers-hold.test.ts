import { inTransaction, recognizeDatabaseError } from "@canvass/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitDuringHold, holdMs } from "../src/index.ts";
import { startNotes } from "./note-service.ts";

let service: Awaited<ReturnType<typeof startNotes>>;
beforeAll(async () => void (service = await startNotes({ purges: [] })));
afterAll(() => service[Symbol.asyncDispose]());

const INSERT = "INSERT INTO notes (workspace_id, note_id, created_at) VALUES ('w', $1, now())";

function write(note: string, askedAt: number, sleepSeconds: number): Promise<void> {
  return inTransaction(service.pool, async (sql) => {
    await commitDuringHold(sql, askedAt);
    await sql.query(INSERT, [note]);
    await sql.query("SELECT pg_sleep($1)", [sleepSeconds]);
  });
}

test("a transaction commits during its hold or not at all", async () => {
  const now = performance.now();
  await write("in time", now, 0);
  const late = await write("too slow", now - (holdMs - 5_000) + 200, 60).catch((error: unknown) => error);
  expect(recognizeDatabaseError(late)).toMatchObject({ code: "deadline_exceeded" });
  await expect(write("too late", now - holdMs, 0)).rejects.toMatchObject({ code: "service_unavailable" });
  await write("a later transaction of the pool", performance.now(), 0);
  expect(await service.sql("SELECT note_id FROM notes ORDER BY 1")).toMatchObject([
    { note_id: "a later transaction of the pool" },
    { note_id: "in time" },
  ]);
});
