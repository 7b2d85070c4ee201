import { spawn } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  claimIdempotencyKeys,
  createBodyMac,
  inTransaction,
  lookupIdempotencyKey,
  openDatabase,
  purgeExpiredIdempotencyRecords,
  recordIdempotentResponses,
  runIdempotently,
  sqlFromPrisma,
} from "../src/index.ts";
import type { Database, IdempotencyKey, Sql } from "../src/index.ts";
import { PrismaClient } from "./fixture/gen/prisma/client.ts";
import { createScratchDatabase } from "./scratch-database.ts";
import type { ScratchDatabase } from "./scratch-database.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const DAY_MS = 86_400_000;

let scratch: ScratchDatabase;
let db: Database<PrismaClient>;

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
  db = openDatabase({
    url: scratch.url,
    poolSize: 20,
    applicationName: "idempotency-test",
    createPrisma: (adapter) => new PrismaClient({ adapter }),
  });
});

afterAll(async () => {
  await db?.[Symbol.asyncDispose]();
  await scratch?.[Symbol.asyncDispose]();
});

const sha256 = (body: string) => hash("sha256", body, "buffer");
const macBody = createBodyMac(Buffer.alloc(32, 7).toString("base64"));
const keyOf = (key: string, body = "body"): IdempotencyKey => ({
  workspaceId: "w",
  scope: "s",
  key,
  bodySha256: sha256(body),
  bodyMac: macBody(["w", "s", key], sha256(body)),
});
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (response: Uint8Array) => new TextDecoder().decode(response);
const effect = (sql: Sql, id: string) =>
  sql.query("INSERT INTO tallies (workspace_id, tally_id, count, at, data) VALUES ('w', $1, 1, now(), '')", [id]);
const effectsLike = async (pattern: string) =>
  (await db.sql.query("SELECT 1 FROM tallies WHERE tally_id LIKE $1", [pattern])).length;

/** Makes a request whose effect has a unique id, so that a second effect would be counted. */
function request(key: IdempotencyKey | undefined, requestId: string = randomUUID(), now = NOW) {
  return inTransaction(db.pool, (sql) =>
    runIdempotently(sql, { key, requestId, now }, async () => {
      await effect(sql, `${key?.key}:${requestId}`);
      return bytes(`answer ${requestId}`);
    }),
  );
}

describe("runIdempotently", () => {
  test("the second request gets the first one's answer, byte by byte, and does nothing", async () => {
    expect(await request(keyOf("twice"), "r1")).toMatchObject({ state: "executed" });
    const second = await request(keyOf("twice"), "r2", later(DAY_MS - 1));
    expect(second).toMatchObject({ state: "replay", requestId: "r1", answeredAt: NOW });
    expect(second.state === "replay" && text(second.response)).toBe("answer r1");
    expect(await effectsLike("twice:%")).toBe(1);
  });

  test("another body is refused, another scope or workspace is another key", async () => {
    await request(keyOf("mine"), "r1");
    expect(await request(keyOf("mine", "other body"))).toEqual({ state: "reused" });
    expect(await request({ ...keyOf("mine"), scope: "other" }, "r3")).toMatchObject({ state: "executed" });
    expect(await request({ ...keyOf("mine"), workspaceId: "other" }, "r4")).toMatchObject({ state: "executed" });
    expect(await effectsLike("mine:%")).toBe(3);
  });

  test("a record of an older process, with the body's plain hash, answers its body and no other", async () => {
    const older = { ...keyOf("older"), bodyMac: sha256("body") };
    await request(older, "r1");
    expect(await request(keyOf("older"))).toMatchObject({ state: "replay", requestId: "r1" });
    expect(await request(keyOf("older", "other body"))).toEqual({ state: "reused" });
  });

  test("the stored body digest is keyed and unique per record", async () => {
    await request(keyOf("rating 1", "5"));
    await request(keyOf("rating 2", "5"));
    const rows = await db.sql.query<{ digest: Uint8Array }>(
      "SELECT body_sha256 AS digest FROM idempotency_records WHERE key LIKE 'rating %'",
    );
    const kept = rows.map(({ digest }) => Buffer.from(digest).toString("hex"));
    expect(new Set(kept).size).toBe(2);
    for (const body of ["1", "2", "3", "4", "5"]) expect(kept).not.toContain(sha256(body).toString("hex"));
  });

  test("without a key every request runs", async () => {
    await request(undefined, "a");
    await request(undefined, "b");
    expect(await effectsLike("undefined:%")).toBe(2);
  });

  test("a write that throws leaves nothing, and its key free", async () => {
    const refused = inTransaction(db.pool, (sql) =>
      runIdempotently(sql, { key: keyOf("refused"), requestId: "r1", now: NOW }, async () => {
        await effect(sql, "refused:r1");
        throw new Error("validation failed");
      }),
    );
    await expect(refused).rejects.toThrow("validation failed");
    expect(await effectsLike("refused:%")).toBe(0);
    expect(await request(keyOf("refused"), "r2")).toMatchObject({ state: "executed" });
  });

  test("a concurrent second request gets in_progress without waiting", async () => {
    const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>();
    const { promise: isRunning, resolve: running } = Promise.withResolvers<void>();
    const first = inTransaction(db.pool, (sql) =>
      runIdempotently(sql, { key: keyOf("slow"), requestId: "r1", now: NOW }, async () => {
        running();
        await mayFinish;
        return bytes("late");
      }),
    );
    await isRunning;
    expect(await request(keyOf("slow"), "r2")).toEqual({ state: "in_progress" });
    expect(await lookupIdempotencyKey(db.sql, keyOf("slow"), NOW)).toEqual({ state: "absent" });
    finish();
    expect((await first).state).toBe("executed");
    expect(await request(keyOf("slow"), "r3")).toMatchObject({ state: "replay", requestId: "r1" });
  });

  test("50 requests at once with one key have one effect, ten times over", async () => {
    for (let round = 0; round < 10; round++) {
      const key = keyOf(`race${round}`);
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => request(key)));
      const executed = outcomes.filter(({ state }) => state === "executed");
      expect(executed).toHaveLength(1);
      expect(await effectsLike(`race${round}:%`)).toBe(1);
      const others = outcomes.filter(({ state }) => state !== "executed");
      expect(others.every(({ state }) => state === "replay" || state === "in_progress")).toBe(true);
      const given = outcomes.flatMap((outcome) => ("response" in outcome ? [text(outcome.response)] : []));
      expect(new Set(given).size).toBe(1);
    }
  });

  test("works the same inside a Prisma transaction, also against requests through pg", async () => {
    const viaPrisma = (requestId: string) =>
      db.prisma.$transaction((tx) => {
        const sql = sqlFromPrisma(tx);
        return runIdempotently(sql, { key: keyOf("prisma"), requestId, now: NOW }, async () => {
          const data = { workspaceId: "w", tallyId: `prisma:${requestId}`, count: 1n, at: NOW, data: bytes("") };
          await tx.tally.create({ data });
          return bytes(`answer ${requestId}`);
        });
      });
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const outcomes = await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? viaPrisma(id) : request(keyOf("prisma"), id))),
    );
    expect(outcomes.filter(({ state }) => state === "executed")).toHaveLength(1);
    expect(await effectsLike("prisma:%")).toBe(1);
    const replay = await viaPrisma("last");
    expect(replay.state === "replay" && text(replay.response)).toBe(
      `answer ${replay.state === "replay" && replay.requestId}`,
    );
    expect(replay).toMatchObject({ state: "replay", answeredAt: NOW });
  });

  test("kill -9 between the work and the commit leaves neither the effect nor the record", async () => {
    const child = spawn(process.execPath, [`${import.meta.dirname}/crash-before-commit.ts`, scratch.url, "killed"]);
    await once(child.stdout, "data");
    expect(await request(keyOf("killed"), "r1")).toEqual({ state: "in_progress" });
    child.kill("SIGKILL");
    await once(child, "exit");
    const sessions = () =>
      scratch.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'crash-before-commit'");
    await expect.poll(sessions).toEqual([]);
    expect(await effectsLike("killed%")).toBe(0);
    expect(await request(keyOf("killed"), "r2")).toMatchObject({ state: "executed" });
  });
});

describe("expiry", () => {
  test("an expired record counts as absent and is replaced", async () => {
    await request(keyOf("old"), "r1", NOW);
    expect(await lookupIdempotencyKey(db.sql, keyOf("old"), later(DAY_MS - 1))).toMatchObject({ state: "replay" });
    expect(await lookupIdempotencyKey(db.sql, keyOf("old"), later(DAY_MS))).toEqual({ state: "absent" });
    expect(await request(keyOf("old", "new body"), "r2", later(DAY_MS))).toMatchObject({ state: "executed" });
    expect(await lookupIdempotencyKey(db.sql, keyOf("old", "new body"), later(DAY_MS))).toMatchObject({
      requestId: "r2",
    });
  });

  test("purging deletes what expired, however much, and nothing else", async () => {
    const past = later(-10 * DAY_MS);
    const answers = Array.from({ length: 12_000 }, (_, index) => ({
      ...keyOf(`purge${index}`),
      response: bytes("x"),
      requestId: "r",
      answeredAt: past,
    }));
    await inTransaction(db.pool, (sql) => recordIdempotentResponses(sql, answers));
    await request(keyOf("purge-not"), "r1", later(-DAY_MS + 1));
    expect(await purgeExpiredIdempotencyRecords(db.sql, NOW)).toBe(12_000);
    expect(await lookupIdempotencyKey(db.sql, keyOf("purge-not"), NOW)).toMatchObject({ state: "replay" });
    expect(await purgeExpiredIdempotencyRecords(db.sql, NOW)).toBe(0);
  });
});

describe("batches", () => {
  test("evaluates each key independently, in the order given", async () => {
    await request(keyOf("b-done"), "r1");
    await request(keyOf("b-reused", "first body"), "r2");
    const keys = ["b-new", "b-done", "b-new", "b-reused", "b-done"].map((key) => keyOf(key));
    const claims = await inTransaction(db.pool, (sql) => claimIdempotencyKeys(sql, keys, NOW));
    expect(claims.map(({ state }) => state)).toEqual(["claimed", "replay", "in_progress", "reused", "replay"]);
  });

  test("overlapping batches at once give every key exactly one effect", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `batch${index}`);
    const batch = (worker: number) =>
      inTransaction(db.pool, async (sql) => {
        const keys = names.map((_, index) => keyOf(names[(index * 7 + worker * 3) % names.length] ?? ""));
        const claims = await claimIdempotencyKeys(sql, keys, NOW);
        const mine = keys.filter((_, index) => claims[index]?.state === "claimed");
        for (const { key } of mine) await effect(sql, `${key}:${worker}`);
        await recordIdempotentResponses(
          sql,
          mine.map((key) => ({ ...key, response: bytes(`${worker}`), requestId: "r", answeredAt: NOW })),
        );
        return mine.length;
      });
    const counts = await Promise.all(Array.from({ length: 12 }, (_, worker) => batch(worker)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(names.length);
    expect(await effectsLike("batch%")).toBe(names.length);
  });

  test("a batch does not wait for an open one that has claimed the same key", async () => {
    const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>();
    const { promise: isClaimed, resolve: claimed } = Promise.withResolvers<void>();
    const names = ["b-open", "b-free"];
    const states = async (sql: Sql, keys: string[]) => {
      const claims = await claimIdempotencyKeys(
        sql,
        keys.map((key) => keyOf(key)),
        NOW,
      );
      return claims.map(({ state }) => state);
    };
    const open = inTransaction(db.pool, async (sql) => {
      const claims = await states(sql, ["b-open"]);
      claimed();
      await mayFinish;
      return claims;
    });
    await isClaimed;
    expect(await inTransaction(db.pool, (sql) => states(sql, names))).toEqual(["in_progress", "claimed"]);
    finish();
    expect(await open).toEqual(["claimed"]);
  });

  test("recording a response for a key that has one already fails the transaction", async () => {
    await request(keyOf("unclaimed"), "r1");
    const answer = { ...keyOf("unclaimed"), response: bytes("y"), requestId: "r2", answeredAt: NOW };
    const recording = inTransaction(db.pool, (sql) => recordIdempotentResponses(sql, [answer]));
    await expect(recording).rejects.toThrow("was not claimed");
  });

  test("answers of any bytes come back as they were", async () => {
    const response = Uint8Array.from({ length: 256 }, (_, index) => index);
    const answers = [
      { ...keyOf("bytes"), response, requestId: "ü\u0001", answeredAt: NOW },
      { ...keyOf("empty"), response: new Uint8Array(), requestId: "r", answeredAt: NOW },
    ];
    await inTransaction(db.pool, (sql) => recordIdempotentResponses(sql, answers));
    const found = await Promise.all(answers.map((answer) => lookupIdempotencyKey(db.sql, answer, NOW)));
    expect(found.map((one) => one.state === "replay" && [...one.response])).toEqual([[...response], []]);
  });
});
