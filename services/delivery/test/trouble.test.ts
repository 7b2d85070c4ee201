import { waitFor } from "@canvass/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { completion, startDeliverySystem, type DeliverySystem, type DeliverySystemOptions } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";

let system: DeliverySystem;

afterEach(() => system[Symbol.asyncDispose]());

async function start(options: DeliverySystemOptions = {}): Promise<void> {
  system = await startDeliverySystem({ ...options, overrides: { random: () => 0.5, ...options.overrides } });
}

const attempts = () => system.sql("SELECT number, outcome FROM attempts ORDER BY number");

test("killed between sending and recording, an event is sent again under its id, and the attempt counts", async () => {
  await start();
  const endpoint = system.addEndpoint();
  const entry = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  // Queued while no worker runs. The next process has its own clock.
  await system.stop();
  system.clock.set(new Date());
  const event = completion(endpoint.workspaceId, system.clock.now());
  await system.queue(endpoint, event);

  const child = spawn(process.execPath, [entry], { env: { ...system.environment, CANVASS_LOG_LEVEL: "fatal" } });
  // Dies between the request and the answer.
  system.receiver.answer(() => {
    child.kill("SIGKILL");
    return 200;
  });
  await once(child, "exit");
  expect(system.receivedBy(endpoint)).toHaveLength(1);
  expect(await attempts()).toEqual([]);

  system.receiver.answer(200);
  // Past the lease and the second attempt's wait.
  system.clock.set(new Date(Date.now() + 60_000));
  await using _successor = await system.startAnother();
  await waitFor(async () => (await attempts()).length === 2, { describe: "both attempts" });
  expect(await attempts()).toEqual([
    { number: 1, outcome: "no_response" },
    { number: 2, outcome: "success" },
  ]);
  const [first, second, ...more] = system.receivedBy(endpoint);
  expect(more).toEqual([]);
  expect([first!.headers["webhook-id"], second!.headers["webhook-id"]]).toEqual([event.eventId, event.eventId]);
  expect(second!.body).toBe(first!.body);
});

test("killed while a queue drains, only the attempts that were under way count", async () => {
  await start();
  const endpoint = system.addEndpoint();
  await system.stop();
  system.clock.set(new Date());
  const events = Array.from({ length: 60 }, () => completion(endpoint.workspaceId, system.clock.now()));
  for (const event of events) await system.queue(endpoint, event);
  let answers = 15;
  system.receiver.answer(() => ((answers -= 1) >= 0 ? 200 : "hang"));
  const entry = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  await using killed = new AsyncDisposableStack();
  const child = spawn(process.execPath, [entry], { env: { ...system.environment, CANVASS_LOG_LEVEL: "fatal" } });
  const ended = once(child, "exit");
  killed.defer(() => void child.kill("SIGKILL"));
  const leased = () => system.sql("SELECT 1 FROM due_deliveries WHERE lease_id IS NOT NULL");
  // Ten slots, and one more with each answer.
  await waitFor(async () => system.receivedBy(endpoint).length === 40 && (await leased()).length === 25, {
    describe: "all slots taken, by a process that has to start",
    timeoutMs: 60_000,
  });
  await killed.disposeAsync();
  await ended;

  system.receiver.answer(200);
  system.clock.set(new Date(Date.now() + 60_000));
  await using _successor = await system.startAnother();
  const delivered = () => system.sql(`SELECT 1 FROM ${SHOWN} WHERE status = 'delivered'`);
  await waitFor(async () => (await delivered()).length === 60, { describe: "all delivered" });
  const interrupted = await system.sql(
    "SELECT d.event_id FROM attempts a JOIN deliveries d USING (delivery_id) WHERE a.outcome = 'no_response'",
  );
  const seen = system.receivedBy(endpoint).map(({ headers }) => headers["webhook-id"] as string);
  expect(new Set(interrupted.map((row) => row["event_id"]))).toEqual(new Set(seen.slice(15, 40)));
  expect(interrupted).toHaveLength(25);
  expect(seen).toHaveLength(85);
});

test("an attempt that outlives its lease is fenced off: the next worker's result counts", async () => {
  await start({ overrides: { sender: { budgetMs: 3000 } } });
  const endpoint = system.addEndpoint();
  const held = Promise.withResolvers<number>();
  system.receiver.answer(() => held.promise);
  await system.publishCompletion(endpoint, 1);
  await waitFor(() => system.receivedBy(endpoint).length === 1, { describe: "the first request" });
  system.receiver.answer(200);
  system.clock.advance(21_000);
  await waitFor(async () => (await attempts()).length === 1, { describe: "the interrupted attempt" });
  held.resolve(200);
  system.clock.advance(9000);
  const [delivery] = await system.waitForDeliveries(endpoint, "delivered", 2);
  expect(delivery!.attempts.map(({ outcome }) => outcome)).toEqual(["no_response", "success"]);
  expect(system.receivedBy(endpoint)).toHaveLength(2);
});

test("when leases end while attempts hang, those attempts count as no_response, and what waited is sent once", async () => {
  await start();
  const endpoint = system.addEndpoint();
  const held = Promise.withResolvers<number>();
  system.receiver.answer(() => held.promise);
  await system.publishCompletion(endpoint, 40);
  await waitFor(() => system.receivedBy(endpoint).length === 10, { describe: "the first ten requests" });
  await using _replica = await system.startAnother();
  system.receiver.answer(200);
  system.clock.advance(21_000);
  await waitFor(async () => (await attempts()).length === 40, { describe: "forty attempts" });
  held.resolve(200);
  const witness = system.addEndpoint();
  await system.publishCompletion(witness, 1);
  await system.waitForDeliveries(witness, "delivered", 1);
  const outcomes = Map.groupBy(await attempts(), ({ outcome }) => outcome);
  expect(outcomes.get("no_response")).toHaveLength(10);
  expect(outcomes.get("success")).toHaveLength(31);
  expect(system.receivedBy(endpoint)).toHaveLength(40);
});

test("two replicas share the work and send nothing twice", async () => {
  await start();
  await using _replica = await system.startAnother();
  const endpoints = Array.from({ length: 5 }, () => system.addEndpoint());
  const many = endpoints.flatMap((endpoint) =>
    Array.from({ length: 60 }, () => completion(endpoint.workspaceId, system.clock.now())),
  );
  for (let i = 0; i < many.length; i += 50) await system.handOver(many.slice(i, i + 50));
  for (const endpoint of endpoints) {
    await system.waitForDeliveries(endpoint, "delivered", 1);
    expect(system.receivedBy(endpoint)).toHaveLength(60);
  }
});

test("an endpoint that hangs delays no other, not even when it has more to do than all there is", async () => {
  const environment = { CANVASS_WEBHOOK_CONCURRENCY: "20" };
  await start({ environment });
  const slow = system.addEndpoint();
  const quick = system.addEndpoint();
  const held = Promise.withResolvers<number>();
  system.receiver.answer(({ path }) => (slow.url.endsWith(path) ? held.promise : 200));
  await system.publishCompletion(slow, 200);
  await waitFor(() => system.receivedBy(slow).length === 10, { describe: "the slow endpoint's first ten" });
  await system.publishCompletion(quick, 100);
  await system.waitForDeliveries(quick, "delivered", 1);
  expect(system.receivedBy(slow)).toHaveLength(10);
  expect(await system.sql("SELECT 1 FROM attempts WHERE subscription_id = $1", [slow.subscriptionId])).toEqual([]);
  held.resolve(200);
});

test("a service that stops records what it has begun and leaves the rest to the next", async () => {
  await start();
  const endpoint = system.addEndpoint();
  const release = Promise.withResolvers<number>();
  system.receiver.answer(() => release.promise);
  const queued = 200;
  await system.publishCompletion(endpoint, queued);
  await waitFor(() => system.receivedBy(endpoint).length === 10, { describe: "ten requests" });
  const stopped = system.stop();
  release.resolve(200);
  await stopped;
  // Some of the others may begin before the stop arrives at the worker.
  const begun = system.receivedBy(endpoint).length;
  const ofStatus = (status: string) => system.sql(`SELECT 1 FROM ${SHOWN} WHERE status = $1`, [status]);
  expect(await ofStatus("delivered")).toHaveLength(begun);
  expect(await ofStatus("pending")).toHaveLength(queued - begun);
  expect(await system.sql("SELECT 1 FROM due_deliveries WHERE lease_id IS NOT NULL OR attempts > 0")).toEqual([]);
  // The next process starts without waiting.
  await using _successor = await system.startAnother();
  await waitFor(() => system.receivedBy(endpoint).length === queued, { describe: "the rest" });
});

test("attempts are recorded once the database is back", async () => {
  await start();
  const endpoint = system.addEndpoint();
  const release = Promise.withResolvers<number>();
  system.receiver.answer(() => release.promise);
  await system.publishCompletion(endpoint, 5);
  await waitFor(() => system.receivedBy(endpoint).length === 5, { describe: "five requests" });
  // Every write to the table fails.
  await system.sql("ALTER TABLE attempts RENAME TO attempts_away");
  release.resolve(200);
  await waitFor(async () => (await system.sql("SELECT 1 FROM due_deliveries")).length === 5, { describe: "still due" });
  await system.sql("ALTER TABLE attempts_away RENAME TO attempts");
  await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(system.receivedBy(endpoint)).toHaveLength(5);
});

test("health is counted by endpoint and reported: failures in a row, last success and last failure", async () => {
  await start();
  const endpoint = system.addEndpoint();
  const health = async () =>
    (await system.sql("SELECT * FROM endpoint_health WHERE subscription_id = $1", [endpoint.subscriptionId]))[0];
  const first = system.clock.now();
  await system.publishCompletion(endpoint, 3);
  await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(await health()).toMatchObject({ consecutive_failures: 0, last_success_at: first, last_failure_at: null });
  system.clock.advance(1000);
  system.receiver.answer(500);
  await system.publishCompletion(endpoint, 4);
  await waitFor(async () => (await health())!["consecutive_failures"] === 4, { describe: "four failures" });
  expect(await health()).toMatchObject({ last_success_at: first, last_failure_at: system.clock.now() });
  const reported = () => system.webhooks.health.get(endpoint.subscriptionId);
  await waitFor(() => reported()?.failures === 4, { describe: "the report" });
  expect(reported()?.lastSuccessAt).toEqual(first);
  system.receiver.answer(200);
  system.clock.advance(30_000);
  await waitFor(async () => (await health())!["consecutive_failures"] === 0, { describe: "no failure in a row" });
  await waitFor(() => reported()?.failures === 0, { describe: "another report" });
  await waitFor(async () => (await health())!["unreported"] === false, { describe: "nothing left to report" });
});
