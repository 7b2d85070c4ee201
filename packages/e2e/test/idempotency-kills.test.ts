import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@canvass/servers";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiAnswer, type DemoSystem } from "../src/index.ts";
import { openDatabaseGate, type DatabaseGate, type HeldWrite } from "./database-gate.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { keyedOperations, type KeyedOperation, type KeyedWrite } from "./keyed-writes.ts";
import { sendWrite, shown } from "./send-write.ts";
import { startTestSystem } from "./test-system.ts";

const running = new AsyncDisposableStack();
let gate: DatabaseGate;
let demo: DemoSystem;
let databases: Databases;
/** The writes of this file, by the point at which a process was killed. */
const made = new Map<string, KeyedWrite>();

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-gate-"));
  running.defer(() => rm(folder, { recursive: true, force: true }));
  const server = running.use(await startPostgres({ dataDir: join(folder, "data"), durable: false }));
  gate = running.use(await openDatabaseGate(server.url));
  demo = running.use(
    await startTestSystem({
      databaseUrl: gate.url,
      backOff: { firstMs: 1, longestMs: 1, stableMs: 0 },
    }),
  );
  databases = running.use(openDatabases(server.url));
  // A process that ends normally leaves its program compiled, a killed one does not.
  for (const name of new Set(["gateway", ...keyedOperations.map(({ service }) => service)])) {
    await demo.system.stop(name);
    await demo.system.start(name);
  }
}, 120_000);
afterAll(() => running.disposeAsync());

/** More steps than any write has. */
const tooMany = 25;

test.each(keyedOperations)(
  "$name happens once, between whatever steps the gateway or the $service service is killed",
  async (operation) => {
    const points: HeldWrite[] = [];
    for (let steps = 0; steps < tooMany; steps++) {
      const point = await killAt(operation, operation.service, steps);
      if (point === undefined) break;
      points.push(point);
    }
    const commit = points.length - 1;
    expect(commit, "steps from the claim to the commit").toBeGreaterThan(3);
    expect(points.findIndex(({ ended }) => ended)).toBe(commit);
    // The cases that differ for a gateway: before any step, before the commit, before its own answer.
    for (const steps of [0, commit - 1, commit]) await killAt(operation, "gateway", steps);
  },
  240_000,
);

test("nothing of it happens again later", async () => {
  const arrived = { describe: "every event to have had its effect", timeoutMs: 60_000 };
  await waitFor(() => databases.countRows(), arrived);
  for (const [where, { effects }] of made) await expectOnce(effects, where);
}, 120_000);

/**
 * Makes a write, kills a process after that many steps, repeats the write until it is answered, and asserts that it
 * happened once and is replayed to the byte. Returns where it was held; undefined when the write has fewer steps and
 * nothing was killed.
 */
async function killAt(operation: KeyedOperation, victim: string, steps: number): Promise<HeldWrite | undefined> {
  const where = `${operation.name}, ${victim} killed after ${steps} steps`;
  const prepare = () => operation.prepare({ api: demo.api, databases });
  const write = await waitFor(prepare, { describe: `${operation.name} to be prepared`, timeoutMs: 30_000 });
  const key = randomUUID();
  const { point, answer: first } = await writeThroughKill(operation, write, key, victim, steps);
  // Another process had not yet reconnected to one killed before: the write was not made.
  if (!point && isUndecided(first)) return killAt(operation, victim, steps);
  made.set(where, write);
  if (point) expect(isUndecided(first), `${where}: ${first?.raw}`).toBe(true);

  const answer = await repeat(write, key);
  expect(answer.status, `${where}: ${answer.raw}`).toBeLessThan(300);
  if (first && !point) expect(shown(answer)).toEqual(shown(first));
  // A killed service rolls back; behind a killed gateway the service finishes its work.
  const isReplay = !point || point.ended || victim === "gateway";
  expect(answer.headers.get("x-request-id") === key, `${where}: the first request's answer`).toBe(isReplay);
  expect(answer.headers.get("idempotent-replayed"), where).toBe(isReplay ? "true" : null);

  const replay = await sendWrite(demo.api, write, key);
  expect(shown(replay), where).toEqual(shown(answer));
  expect(replay.headers.get("idempotent-replayed"), where).toBe("true");
  await expectOnce(write.effects, where);
  return point;
}

/** Makes a write with its key as request id, kills the victim at the given step, and waits until all works again. */
async function writeThroughKill(
  { service }: KeyedOperation,
  write: KeyedWrite,
  key: string,
  victim: string,
  steps: number,
): Promise<{ point: HeldWrite | undefined; answer: ApiAnswer | undefined }> {
  const armed = gate.arm(`canvass_${service}`, steps);
  const answer = tryWrite({ ...write, headers: { ...write.headers, "x-request-id": key } }, key);
  const point = await Promise.race([armed.held, answer.then(() => undefined)]);
  armed.disarm();
  if (point) {
    await demo.system.kill(victim, "SIGKILL");
    if (victim === service) point.drop();
    else point.release();
    await demo.system.waitReady();
  }
  return { point, answer: await answer };
}

/** The answer; undefined when the connection broke. */
function tryWrite(write: KeyedWrite, key: string): Promise<ApiAnswer | undefined> {
  return sendWrite(demo.api, write, key).catch(() => undefined);
}

/** Repeats a write until its answer is final. */
function repeat(write: KeyedWrite, key: string): Promise<ApiAnswer> {
  const ask = async () => {
    const answer = await tryWrite(write, key);
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
