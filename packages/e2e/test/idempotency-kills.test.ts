import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@canvass/servers";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkspace, type ApiAnswer, type ApiClient, type DemoSystem } from "../src/index.ts";
import { openDatabaseGate, type DatabaseGate, type HeldWrite } from "./database-gate.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { keyedOperations, type KeyedOperation, type KeyedWrite } from "./keyed-writes.ts";
import { sendWrite, shown } from "./send-write.ts";
import { startTestSystem } from "./test-system.ts";

/** An operation in workspaces of its own: a service works on two calls of a workspace at once, and all here are held. */
interface Subject {
  operation: KeyedOperation;
  apis: ApiClient[];
  /** Where it was held when its service was killed, after no step, one, two and so on. */
  points: HeldWrite[];
}

/** A write to be held after so many steps. */
interface Plan {
  subject: Subject;
  api: ApiClient;
  steps: number;
}

const running = new AsyncDisposableStack();
let gate: DatabaseGate;
let demo: DemoSystem;
let databases: Databases;
let subjects: Subject[];
/** The writes of this file, by the point at which a process was killed. */
const made = new Map<string, KeyedWrite>();
const services = [...new Set(keyedOperations.map(({ service }) => service))];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-gate-"));
  running.defer(() => rm(folder, { recursive: true, force: true }));
  const server = running.use(await startPostgres({ dataDir: join(folder, "data"), durable: false }));
  gate = running.use(await openDatabaseGate(server.url));
  demo = running.use(
    await startTestSystem({
      databaseUrl: gate.url,
      backOff: { firstMs: 1, longestMs: 1, stableMs: 0 },
      // A connection for each write that is held, and others for the rest.
      env: { CANVASS_DATABASE_POOL: "60" },
    }),
  );
  databases = running.use(openDatabases(server.url));
  subjects = await Promise.all(
    keyedOperations.map(async (operation) => {
      const workspaces = Array.from({ length: stepsAtOnce }, () => createWorkspace(demo.system));
      const apis = (await Promise.all(workspaces)).map((workspace) => running.use(workspace).api);
      return { operation, apis, points: [] };
    }),
  );
  // A process that ends normally leaves its program compiled, a killed one does not.
  for (const name of ["gateway", ...services]) {
    await demo.system.stop(name);
    await demo.system.start(name);
  }
}, 120_000);
afterAll(() => running.disposeAsync());

const heldAtOnce = 16;
/** Writes of an operation that a kill meets, each after one more step. Of those stored in batches, no more run at once. */
const stepsAtOnce = 2;
/** More steps than any write has. */
const tooMany = 25;

describe("every write happens once", () => {
  test.each(services)(
    "between whatever steps of its transaction the %s service is killed",
    async (service) => {
      let left = subjects.filter(({ operation }) => operation.service === service);
      // A second try begins anew.
      for (const subject of left) subject.points = [];
      for (let steps = 0; left.length > 0 && steps < tooMany; steps += stepsAtOnce) {
        const plans = left.flatMap((subject) =>
          subject.apis.map((api, index) => ({ subject, api, steps: steps + index })),
        );
        await killDuring(plans, service);
        left = left.filter(({ points }) => points.length === steps + stepsAtOnce);
      }
      expect(left.map(({ operation }) => operation.name)).toEqual([]);
    },
    240_000,
  );

  test.each(keyedOperations.map(({ name }) => name))("%s was held at each of its steps", (name) => {
    const { points } = subjects.find(({ operation }) => operation.name === name)!;
    expect(points.length, "steps from the claim to the commit").toBeGreaterThan(4);
    expect(points.findIndex(({ ended }) => ended)).toBe(points.length - 1);
  });

  // The cases that differ for a gateway: before any step, before the commit, before its own answer.
  test.each([
    ["before any step", () => 0],
    ["before the commit", ({ points }: Subject) => points.length - 2],
    ["before its own answer", ({ points }: Subject) => points.length - 1],
  ])(
    "when the gateway is killed %s",
    async (_when, stepsOf) => {
      // Those that wait while more are held must not meet the time limits of their transactions.
      for (let from = 0; from < subjects.length; from += heldAtOnce) {
        const some = subjects.slice(from, from + heldAtOnce);
        const plans = some.map((subject) => ({ subject, api: subject.apis[0]!, steps: stepsOf(subject) }));
        expect(await killDuring(plans, "gateway")).toBe(some.length);
      }
    },
    240_000,
  );
});

test("nothing of it happens again later", async () => {
  const arrived = { describe: "every event to have had its effect", timeoutMs: 60_000 };
  await waitFor(() => databases.countRows(), arrived);
  for (const [where, { effects }] of made) await expectOnce(effects, where);
}, 120_000);

interface SentWrite {
  plan: Plan;
  where: string;
  write: KeyedWrite;
  /** The idempotency key, and the id of the first request. */
  key: string;
  /** Undefined when the connection broke. */
  answer: Promise<ApiAnswer | undefined>;
  /** Where it is held; undefined when it has fewer steps. */
  point: HeldWrite | undefined;
}

/**
 * Makes the planned writes, holds each after its steps, kills a process, repeats each write until it is answered, and
 * asserts that it happened once and is replayed to the byte. Resolves with the number of writes that were held.
 */
async function killDuring(plans: Plan[], victim: string): Promise<number> {
  const prepared = new Map(await Promise.all(plans.map(async (each) => [each, await prepareWrite(each)] as const)));
  const sent: SentWrite[] = [];
  // One at a time in each database, so that none is held until its deadline.
  await Promise.all(
    [...Map.groupBy(plans, ({ subject }) => subject.operation.service).values()].map(async (group) => {
      for (const plan of group) {
        const where = `${plan.subject.operation.name}, ${victim} killed after ${plan.steps} steps`;
        sent.push({ plan, where, ...(await hold(plan, prepared.get(plan)!)) });
      }
    }),
  );
  const held = sent.flatMap(({ point }) => point ?? []);
  if (held.length > 0) {
    await demo.system.kill(victim, "SIGKILL");
    for (const point of held) {
      if (victim === "gateway") point.release();
      else point.drop();
    }
    await demo.system.waitReady();
  }
  const unmade = await Promise.all(sent.map(async (each) => ((await judge(each, victim)) ? [] : [each.plan])));
  // Another process had not yet reconnected to one killed before.
  const again = unmade.flat();
  return held.length + (again.length > 0 ? await killDuring(again, victim) : 0);
}

function prepareWrite({ subject: { operation }, api }: Plan): Promise<KeyedWrite> {
  const prepare = () => operation.prepare({ api, databases, receiver: demo.receiver });
  return waitFor(prepare, { describe: `${operation.name} to be prepared`, timeoutMs: 30_000 });
}

/** Makes a write with its key as request id. Resolves when it is held at the step, or answered. */
async function hold({ subject: { operation }, api, steps }: Plan, write: KeyedWrite) {
  const key = randomUUID();
  const armed = gate.arm(`canvass_${operation.service}`, steps);
  const answer = tryWrite(api, { ...write, headers: { ...write.headers, "x-request-id": key } }, key);
  const point = await Promise.race([armed.held, answer.then(() => undefined)]);
  armed.disarm();
  return { write, key, answer, point };
}

/** Asserts that a write happened once. False when it was not made at all. */
async function judge({ plan, where, write, key, answer, point }: SentWrite, victim: string): Promise<boolean> {
  const { subject, api, steps } = plan;
  const first = await answer;
  if (!point && isUndecided(first)) return false;
  made.set(where, write);
  if (point && victim !== "gateway") subject.points[steps] = point;
  if (point) expect(isUndecided(first), `${where}: ${first?.raw}`).toBe(true);

  const again = await repeat(api, write, key);
  expect(again.status, `${where}: ${again.raw}`).toBeLessThan(300);
  if (first && !point) expect(shown(again)).toEqual(shown(first));
  // A killed service rolls back; behind a killed gateway the service finishes its work.
  const isReplay = !point || point.ended || victim === "gateway";
  expect(again.headers.get("x-request-id") === key, `${where}: the first request's answer`).toBe(isReplay);
  expect(again.headers.get("idempotent-replayed"), where).toBe(isReplay ? "true" : null);

  // A service that has just started may ask for patience before it replays.
  const replay = await repeat(api, write, key);
  expect(shown(replay), where).toEqual(shown(again));
  expect(replay.headers.get("idempotent-replayed"), where).toBe("true");
  await expectOnce(write.effects, where);
  return true;
}

/** The answer; undefined when the connection broke. */
function tryWrite(api: ApiClient, write: KeyedWrite, key: string): Promise<ApiAnswer | undefined> {
  return sendWrite(api, write, key).catch(() => undefined);
}

/** Repeats a write until its answer is final. */
function repeat(api: ApiClient, write: KeyedWrite, key: string): Promise<ApiAnswer> {
  const ask = async () => {
    const answer = await tryWrite(api, write, key);
    return isUndecided(answer) ? undefined : answer;
  };
  return waitFor(ask, { describe: `${write.method} ${write.path} to be answered`, timeoutMs: 30_000 });
}

/** Whether the outcome is unknown, so that the write must be repeated. */
function isUndecided(answer: ApiAnswer | undefined): boolean {
  if (answer === undefined) return true;
  return [503, 504].includes(answer.status) || answer.body.error?.code === "idempotency_in_progress";
}

async function expectOnce(effects: KeyedWrite["effects"], where: string): Promise<void> {
  // Some effects show a moment later.
  const show = async () => {
    const counts = await effects();
    return Object.values(counts).every((count) => count > 0) ? counts : undefined;
  };
  const counts = await waitFor(show, { describe: "the effects of a write", timeoutMs: 30_000 });
  expect(new Set(Object.values(counts)), `${where}: ${JSON.stringify(counts)}`).toEqual(new Set([1]));
}
