import { createMailer, type Mailer } from "../src/application/mail/sending/mailer.ts";
import { testSmtp } from "./mail/test-smtp.ts";
import { sqlFromPg, type Sql } from "@canvass/postgres";
import { newId } from "@canvass/values";
import { Counter, createLogger } from "@canvass/telemetry";
import { anyFreePort, createTestDatabase, fixedClock, waitFor, type FixedClock } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { mailQueue } from "../src/application/mail/mail-queue.ts";
import { insertMails } from "../src/application/mail/insert-mails.ts";
import { purgeMails } from "../src/application/mail/purge-mails.ts";
import { startMailWorker } from "../src/application/mail/mail-worker.ts";
import { maxAttempts } from "../src/application/mail/retry-schedule.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const log = createLogger({ service: "token", level: "silent" });

interface Queue extends AsyncDisposable {
  sql: Sql;
  clock: FixedClock;
  /** By default each mail is of a workspace of its own, and so due at once. */
  queue(count: number, address?: (index: number) => string, workspace?: (index: number) => string): Promise<void>;
  work(mailer: Mailer, sql?: Sql): AsyncDisposable;
  /** Waits until workers have twice found nothing due. */
  idle(): Promise<unknown>;
  rows(): Promise<
    { state: string; attempts: number; dueAt: Date | null; error: string | null; leaseId: string | null }[]
  >;
}

async function openQueue(): Promise<Queue> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createTestDatabase(migrations));
  const pool = starting.adopt(new Pool({ connectionString: database.url, max: 20 }), (open) => open.end());
  const sql = sqlFromPg(pool);
  const clock = fixedClock("2026-03-01T12:00:00Z");
  let emptyLooks = 0;
  const looking = (through: Sql): Sql => ({
    query: async <Row>(text: string, params?: readonly unknown[]) => {
      const rows = await through.query<Row>(text, params);
      if (text.includes("SKIP LOCKED") && rows.length === 0) emptyLooks += 1;
      return rows;
    },
  });
  const running = starting.move();
  return {
    sql,
    clock,
    queue: (count, address = (index) => `p${index}@example.com`, workspace = (index) => `w${index}`) =>
      insertMails(
        sql,
        Array.from({ length: count }, (_, index) => ({
          workspaceId: workspace(index),
          eventId: newId(clock.now()),
          personId: `p${index}`,
          template: "webhook.added",
          toName: "Ada",
          toAddress: address(index),
          subject: "Webhook added",
          text: "Hello",
          html: "<p>Hello</p>",
        })),
        clock.now(),
      ),
    work: (mailer, through = sql) =>
      startMailWorker({
        sql: looking(through),
        mailer,
        now: clock.now,
        log,
        limitWrites: (work) => work(),
        attempts: new Counter({ name: "attempts", help: "x", labelNames: ["outcome"], registers: [] }),
        pollMs: 20,
        maxBackOffMs: 100,
      }),
    idle: () => {
      const until = emptyLooks + 2;
      return waitFor(() => emptyLooks >= until, { describe: "two looks that find nothing" });
    },
    rows: () =>
      sql.query(
        `SELECT state, attempts, due_at AS "dueAt", error, lease_id AS "leaseId" FROM mails ORDER BY event_id, person_id`,
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const mailerTo = ({ url }: { url: string }) =>
  createMailer({ smtpUrl: url, from: "noreply@canvass.example", budgetMs: 30_000 });

const untilSettled = (queue: Queue) =>
  waitFor(async () => (await queue.rows()).every(({ state }) => state !== "waiting"), { describe: "no mail to wait" });

test("several workers at once send each mail once", async () => {
  await using queue = await openQueue();
  await using server = await testSmtp();
  await queue.queue(60);
  await using workers = new AsyncDisposableStack();
  for (let index = 0; index < 4; index += 1) workers.use(queue.work(mailerTo(server)));
  await untilSettled(queue);
  const everybody = Array.from({ length: 60 }, (_, index) => `p${index}@example.com`);
  expect(server.mails.flatMap(({ to }) => to).sort()).toEqual(everybody.sort());
  expect(new Set(server.mails.map(({ parsed }) => parsed.messageId)).size).toBe(60);
  expect(await queue.rows()).toEqual(
    Array.from({ length: 60 }, () => ({ state: "sent", attempts: 1, dueAt: null, error: null, leaseId: null })),
  );
});

const claimAll = async ({ sql, clock }: Queue): Promise<string[]> => {
  const claimed = await mailQueue.claim(sql, { now: clock.now(), leaseMs: 120_000, limit: 5 });
  return claimed.map(({ workspaceId }) => workspaceId).sort();
};

test("many mails of one workspace do not hold up the next one of another", async () => {
  await using queue = await openQueue();
  const busy = () => queue.queue(100, undefined, () => "busy");
  await busy();
  await busy();
  await queue.queue(1, undefined, () => "other");
  expect(await claimAll(queue)).toEqual(["busy", "other"]);
  const waits = await queue.sql.query<{ ms: number }>(
    `SELECT (extract(epoch FROM due_at - $1::timestamptz) * 1000)::int4 AS ms FROM mails
     WHERE lease_id IS NULL ORDER BY due_at`,
    [queue.clock.now()],
  );
  expect(waits.map(({ ms }) => ms)).toEqual(Array.from({ length: 199 }, (_, index) => 100 * (index + 1)));
});

test("a mail that is tried again later does not put off the next one of its workspace", async () => {
  await using queue = await openQueue();
  const one = () => queue.queue(1, undefined, () => "w");
  await one();
  const [mail] = await mailQueue.claim(queue.sql, { now: queue.clock.now(), leaseMs: 120_000, limit: 5 });
  await one();
  expect(await claimAll(queue)).toEqual(["w"]);
  await mailQueue.settle(queue.sql, mail!, { due_at: new Date(queue.clock.now().getTime() + 3_600_000) });
  await one();
  expect(await claimAll(queue)).toEqual(["w"]);
});

test("a worker that dies between sending and recording leaves a mail that is sent again, recognizably the same", async () => {
  await using queue = await openQueue();
  await using server = await testSmtp();
  await queue.queue(1);
  // Cuts the database off once the mail is sent.
  const dying: Sql = {
    query: async (text, params) => {
      if (server.mails.length > 0) throw new Error("the process is gone");
      return queue.sql.query(text, params);
    },
  };
  {
    await using _ = queue.work(mailerTo(server), dying);
    await waitFor(() => server.mails.length === 1, { describe: "the mail" });
  }
  expect(await queue.rows()).toMatchObject([{ state: "waiting", attempts: 1 }]);
  await using _ = queue.work(mailerTo(server));
  // A live lease keeps other workers away.
  await queue.idle();
  expect(server.mails).toHaveLength(1);
  queue.clock.advance(120_000);
  await untilSettled(queue);
  const [first, second, ...others] = server.mails;
  expect(others).toEqual([]);
  expect(second!.parsed.messageId).toBe(first!.parsed.messageId);
  expect(second!.raw).toBe(first!.raw);
  expect(await queue.rows()).toMatchObject([{ state: "sent", attempts: 2 }]);
});

test("a deferred mail is retried with growing pauses, and given up after the last", async () => {
  await using queue = await openQueue();
  let tries = 0;
  await using server = await testSmtp({ answer: () => ((tries += 1), 451) });
  await queue.queue(1);
  await using _ = queue.work(mailerTo(server));
  const pauses: number[] = [];
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    const row = await waitFor(
      async () => (await queue.rows()).find(({ attempts, leaseId }) => attempts === attempt && leaseId === null),
      { describe: `attempt ${attempt}` },
    );
    expect(row).toMatchObject({ state: "waiting", error: expect.stringContaining("451") });
    pauses.push(row.dueAt!.getTime() - queue.clock.now().getTime());
    queue.clock.set(new Date(row.dueAt!.getTime() - 1));
    await queue.idle();
    expect(tries).toBe(attempt);
    queue.clock.advance(1);
  }
  await untilSettled(queue);
  expect(await queue.rows()).toMatchObject([{ state: "failed", attempts: maxAttempts }]);
  expect(tries).toBe(maxAttempts);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
});

test("a mail deferred once arrives at the second attempt; a refused one is given up at once; neither affects others", async () => {
  await using queue = await openQueue();
  let busy = true;
  await using server = await testSmtp({
    answer: (address) => (address === "gone@example.com" ? 550 : address === "busy@example.com" && busy ? 450 : 250),
  });
  const addresses = ["gone@example.com", "busy@example.com", "ada@example.com", "a@b, victim@example.com"];
  await queue.queue(4, (index) => addresses[index]!);
  await using _ = queue.work(mailerTo(server));
  const states = async () => (await queue.rows()).map(({ state }) => state);
  await waitFor(async () => (await states()).join() === "failed,waiting,sent,failed", {
    describe: "the first attempts",
  });
  busy = false;
  queue.clock.advance(60_000);
  await untilSettled(queue);
  expect(await states()).toEqual(["failed", "sent", "sent", "failed"]);
  expect(server.mails.flatMap(({ to }) => to)).toEqual(["ada@example.com", "busy@example.com"]);
  expect((await queue.rows())[0]).toMatchObject({ attempts: 1, error: expect.stringContaining("550") });
});

test("while the server is away no mail loses an attempt; when it is back all arrive, once", async () => {
  await using queue = await openQueue();
  const port = await anyFreePort();
  const count = 8;
  await queue.queue(count);
  let tries = 0;
  const real = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: "noreply@canvass.example", budgetMs: 30_000 });
  const counting: Mailer = { send: (mail, stopping) => ((tries += 1), real.send(mail, stopping)) };
  await using _ = queue.work(counting);
  // More often than a mail may fail.
  await waitFor(() => tries > maxAttempts * count, { describe: "many tries", timeoutMs: 60_000 });
  for (const row of await queue.rows()) {
    expect(row.state).toBe("waiting");
    expect(row.attempts).toBeLessThanOrEqual(1);
  }
  await using server = await testSmtp({ port });
  await untilSettled(queue);
  expect(server.mails.flatMap(({ to }) => to).sort()).toEqual(
    Array.from({ length: count }, (_, index) => `p${index}@example.com`),
  );
  for (const row of await queue.rows()) expect(row).toMatchObject({ state: "sent", attempts: 1 });
});

test("a mail whose every attempt was lost is given up without another", async () => {
  await using queue = await openQueue();
  await using server = await testSmtp();
  await queue.queue(1);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const now = queue.clock.now();
    expect(await mailQueue.claim(queue.sql, { now, leaseMs: 1000, limit: 5 })).toHaveLength(1);
    expect(await mailQueue.claim(queue.sql, { now, leaseMs: 1000, limit: 5 })).toEqual([]);
    queue.clock.advance(1000);
  }
  await using _ = queue.work(mailerTo(server));
  await untilSettled(queue);
  expect(await queue.rows()).toMatchObject([{ state: "failed" }]);
  expect(server.mails).toEqual([]);
});

test("a worker whose lease has gone to another changes nothing", async () => {
  await using queue = await openQueue();
  await queue.queue(1);
  const claim = async () => (await mailQueue.claim(queue.sql, { now: queue.clock.now(), leaseMs: 1000, limit: 1 }))[0]!;
  const slow = await claim();
  queue.clock.advance(1000);
  const other = await claim();
  await mailQueue.settle(queue.sql, slow, { state: "failed", error: "x" });
  expect(await queue.rows()).toMatchObject([{ state: "waiting", leaseId: other.leaseId, attempts: 2 }]);
  await mailQueue.settle(queue.sql, other, { state: "sent", due_at: null, settled_at: queue.clock.now() });
  await mailQueue.settle(queue.sql, slow, { state: "waiting", due_at: queue.clock.now() });
  expect(await queue.rows()).toMatchObject([{ state: "sent", attempts: 2 }]);
});

test("old mails are deleted, waiting ones never", async () => {
  await using queue = await openQueue();
  await using server = await testSmtp({ answer: (address) => (address === "p0@example.com" ? 550 : 250) });
  await queue.queue(2);
  {
    await using _ = queue.work(mailerTo(server));
    await untilSettled(queue);
  }
  await queue.queue(1);
  const at = queue.clock.now();
  expect(await purgeMails(queue.sql, at, 10)).toBe(0);
  expect(await purgeMails(queue.sql, new Date(at.getTime() + 1), 1)).toBe(1);
  expect(await purgeMails(queue.sql, new Date(at.getTime() + 1), 10)).toBe(1);
  expect(await queue.rows()).toMatchObject([{ state: "waiting" }]);
});
