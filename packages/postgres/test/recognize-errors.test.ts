import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, recognizeDatabaseError, sqlFromPrisma } from "../src/index.ts";
import type { Database } from "../src/index.ts";
import { PrismaClient } from "./fixture/gen/prisma/client.ts";
import { createScratchDatabase } from "./scratch-database.ts";
import type { ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
const open = (url: string, { maxWait = 10_000, statementTimeoutMs = 10_000 } = {}): Database<PrismaClient> =>
  openDatabase({
    url,
    poolSize: 1,
    applicationName: "recognize-errors-test",
    statementTimeoutMs,
    createPrisma: (adapter) => new PrismaClient({ adapter, transactionOptions: { maxWait, timeout: 10_000 } }),
  });

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
});
afterAll(() => scratch?.[Symbol.asyncDispose]());

/** The catalogue's code for what the work fails with; undefined for a defect. */
async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  return work().then(
    () => "it did not fail",
    (error: unknown) => recognizeDatabaseError(error)?.code,
  );
}

test("a statement that takes too long is deadline_exceeded, through pg and Prisma", async () => {
  await using db = open(scratch.url, { statementTimeoutMs: 200 });
  const sleep = "SELECT pg_sleep(60)::text";
  expect(await codeOf(() => db.sql.query(sleep))).toBe("deadline_exceeded");
  expect(await codeOf(() => sqlFromPrisma(db.prisma).query(sleep))).toBe("deadline_exceeded");
  expect(await codeOf(() => db.prisma.$transaction((tx) => sqlFromPrisma(tx).query(sleep)))).toBe("deadline_exceeded");
});

test("a failure for lack of a free connection or of a server is service_unavailable", async () => {
  await using db = open(scratch.url, { maxWait: 100 });
  const held = await db.pool.connect();
  expect(await codeOf(() => db.prisma.$transaction(async () => undefined))).toBe("service_unavailable");
  held.release();
  await using nowhere = open("postgresql://nobody:x@127.0.0.1:1/none");
  expect(await codeOf(() => nowhere.sql.query("SELECT 1"))).toBe("service_unavailable");
  expect(await codeOf(() => nowhere.prisma.tally.count())).toBe("service_unavailable");
  expect(await codeOf(() => nowhere.prisma.$transaction(async () => undefined))).toBe("service_unavailable");
});

test.each(["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED"])(
  "a server that %s keeps away is service_unavailable",
  (code) => {
    const error = Object.assign(new Error("connect"), { code });
    expect(recognizeDatabaseError(error)?.code).toBe("service_unavailable");
    expect(recognizeDatabaseError(new Error("query", { cause: error }))?.code).toBe("service_unavailable");
  },
);

test("a server whose disk is full is service_unavailable, through pg and Prisma", async () => {
  await using db = open(scratch.url);
  const extend =
    "DO $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$";
  expect(await codeOf(() => db.sql.query(extend))).toBe("service_unavailable");
  expect(await codeOf(() => sqlFromPrisma(db.prisma).query(extend))).toBe("service_unavailable");
  expect(await codeOf(() => db.prisma.$transaction((tx) => sqlFromPrisma(tx).query(extend)))).toBe(
    "service_unavailable",
  );
});

test("a wrong statement is a defect, through pg and Prisma", async () => {
  await using db = open(scratch.url);
  expect(await codeOf(() => db.sql.query("SELECT nothing"))).toBeUndefined();
  expect(await codeOf(() => sqlFromPrisma(db.prisma).query("SELECT nothing"))).toBeUndefined();
});
