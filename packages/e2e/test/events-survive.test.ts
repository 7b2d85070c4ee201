import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoSystem } from "../src/index.ts";
import { followCompletions, type Completions } from "./completions.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { whileAway } from "./while-away.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let databases: Databases;
let completions: Completions;

beforeAll(async () => {
  demo = await startTestSystem();
  databases = openDatabases(demo.system.local.databaseUrl);
  completions = await followCompletions(demo);
}, 120_000);
afterAll(async () => {
  await databases?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});

const natsDir = () => join(demo.dataDir, "nats");
// The server may write meanwhile, so that a directory is not empty yet when it is removed.
const wipe = () => rm(natsDir(), { recursive: true, force: true, maxRetries: 10 });

async function countEvents(where: string): Promise<number> {
  const [row] = await databases.query<{ count: number }>(
    "response",
    `SELECT count(*)::int AS count FROM outbox_events WHERE ${where}`,
  );
  return row!.count;
}

/** Waits until every event is confirmed, so that nothing in NATS is needed. */
function everythingConfirmed() {
  return waitFor(async () => (await countEvents("true")) === 0, { describe: "an empty outbox", timeoutMs: 60_000 });
}

test("events arrive while all is well, and the outbox is emptied", async () => {
  await completions.complete(60);
  await completions.expectAllArrived();
  await everythingConfirmed();
}, 90_000);

test("with NATS stopped for good, every completion arrives within a minute", async () => {
  await whileAway(demo.system, ["nats"], async () => {
    await completions.complete(60);
    await completions.expectAllArrived();
  });
}, 120_000);

test("a response service killed between commit and publication loses nothing", async () => {
  await everythingConfirmed();
  await whileAway(demo.system, ["nats"], async () => {
    await completions.complete(30);
    expect(await countEvents("published_at IS NULL")).toBe(30);
    await demo.system.kill("response", "SIGKILL");
  });
  await demo.system.waitReady();
  await completions.expectAllArrived();
}, 90_000);

test("a store wiped while NATS is stopped loses nothing", async () => {
  await everythingConfirmed();
  await completions.complete(20);
  await demo.system.kill("nats", "SIGKILL");
  await whileAway(demo.system, ["nats"], async () => {
    await wipe();
    await completions.complete(20);
  });
  await completions.complete(20);
  await completions.expectAllArrived();
}, 120_000);

test("a consumer that is ahead of a rebuilt stream is fed again", async () => {
  await completions.complete(30);
  await completions.expectAllArrived();
  await everythingConfirmed();
  expect(await whileAway(demo.system, ["nats"], emptyStreams)).toBeGreaterThan(0);
  await completions.complete(10);
  await completions.expectAllArrived();
}, 120_000);

test("a store wiped while NATS runs loses nothing", async () => {
  await wipe();
  await completions.complete(20);
  await demo.system.kill("nats", "SIGKILL");
  await demo.system.waitReady();
  await completions.complete(20);
  await completions.expectAllArrived();
  await everythingConfirmed();
}, 120_000);

/** Deletes the messages of every stream and keeps its consumers. Returns the number of streams. */
async function emptyStreams(): Promise<number> {
  const all = await readdir(natsDir(), { recursive: true });
  const stores = all.filter((path) => /streams\/[^/]+\/msgs$/.test(path));
  for (const store of stores) await rm(join(natsDir(), store), { recursive: true, maxRetries: 10 });
  return stores.length;
}
