import { openDatabase, type Database } from "@canvass/postgres";
import { createTestDatabase } from "@canvass/testing";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PrismaClient } from "../gen/prisma/client.ts";
import { repairLeases } from "../src/rpc/survey-lease.ts";
import { findSurveyLock, releaseSurveyLock, takeSurveyLock } from "../src/storage/survey-locks.ts";

const statements: string[] = [];
const running = new AsyncDisposableStack();
let database: Database<PrismaClient>;

beforeAll(async () => {
  const { url } = running.use(await createTestDatabase(join(import.meta.dirname, "../prisma/migrations")));
  const logged = { log: [{ emit: "event" as const, level: "query" as const }] };
  database = running.use(
    openDatabase({
      url,
      poolSize: 10,
      applicationName: "survey-locks",
      createPrisma(adapter) {
        const prisma = new PrismaClient({ adapter, ...logged });
        prisma.$on("query", ({ query }) => statements.push(query));
        return prisma;
      },
    }),
  );
});
afterAll(() => running.disposeAsync());
beforeEach(() => database.prisma.surveyLock.deleteMany());

const now = new Date("2026-03-01T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const survey = { workspaceId: "workspace0000001", surveyId: "survey0000000001" };

function take(leaseId: string, at = now, request: string | null = null): Promise<boolean> {
  const lock = { leaseId, holder: `person ${leaseId}`, reason: "publishing", request };
  return takeSurveyLock(database.prisma, survey, { ...lock, expiresAt: new Date(at.getTime() + 15_000) }, at);
}

async function takeAtOnce(at: Date): Promise<string[]> {
  const leases = Array.from({ length: 20 }, (_, index) => `${at.getTime()} ${index}`);
  const taken = await Promise.all(leases.map((leaseId) => take(leaseId, at)));
  return leases.filter((_, index) => taken[index]);
}

test("of many takers at once one wins, also over a lock that has run out", async () => {
  for (const at of [now, later(15_000), later(30_000)]) {
    const winners = await takeAtOnce(at);
    expect(winners).toHaveLength(1);
    expect(await findSurveyLock(database.prisma, survey, at)).toMatchObject({ leaseId: winners[0] });
  }
});

test("only a retry of the request takes over a held lock; requests without a key are never the same", async () => {
  expect(await take("first", now, "request")).toBe(true);
  expect(await take("other", now, "another")).toBe(false);
  expect(await take("nameless", now)).toBe(false);
  expect(await take("again", now, "request")).toBe(true);
  await releaseSurveyLock(database.sql, survey, { leaseId: "first", request: "request" });
  expect([await take("nameless"), await take("nameless too")]).toEqual([true, false]);
});

test("each workspace has its own lock, and a lock ends to the millisecond", async () => {
  expect(await take("first")).toBe(true);
  expect(await findSurveyLock(database.prisma, survey, later(14_999))).not.toBeNull();
  expect(await findSurveyLock(database.prisma, survey, later(15_000))).toBeNull();
  const foreign = { ...survey, workspaceId: "workspace0000002" };
  expect(await findSurveyLock(database.prisma, foreign, now)).toBeNull();
});

test("after the clock was set back, a lock from before ends as one that is taken then; others stay", async () => {
  const other = { workspaceId: "workspace0000001", surveyId: "survey0000000002" };
  const lock = { leaseId: "short", holder: "person", reason: "publishing", request: null };
  expect(await takeSurveyLock(database.prisma, other, { ...lock, expiresAt: later(5_000) }, now)).toBe(true);
  expect(await take("ahead", later(3_600_000))).toBe(true);
  await repairLeases(database.sql, now);
  expect(await findSurveyLock(database.prisma, other, later(5_000))).toBeNull();
  expect(await findSurveyLock(database.prisma, other, later(4_999))).not.toBeNull();
  expect([await take("early", later(14_999)), await take("due", later(15_000))]).toEqual([false, true]);
});

test("a free lock takes one statement, a held one is refused with a second", async () => {
  statements.length = 0;
  await take("first");
  expect(statements).toEqual([expect.stringMatching(/^INSERT .* ON CONFLICT DO NOTHING/)]);
  statements.length = 0;
  await take("second");
  expect(statements).toEqual([expect.stringMatching(/^INSERT/), expect.stringMatching(/^UPDATE/)]);
});
