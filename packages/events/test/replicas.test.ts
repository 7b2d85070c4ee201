import { natsAccess, testNats, testNatsCluster, waitFor } from "@canvass/testing";
import { connect, type ConsumerInfo, type JetStreamManager, type StreamInfo } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { durableName } from "../src/durable-consumers.ts";
import { openEventBus } from "../src/event-bus.ts";
import { EVENT_STREAM } from "../src/streams.ts";
import { openEventPath, silent, type EventPath } from "./event-path.ts";

let eventPath: EventPath;
beforeEach(async () => {
  eventPath = await openEventPath({ nats: false });
});
afterEach(() => eventPath[Symbol.asyncDispose]());

const busOf = (url: string, replicas: 1 | 3 | 5) =>
  openEventBus({ NATS_URL: url, CANVASS_NATS_REPLICAS: replicas }, { name: "test", log: silent });
const SWEEP_SOON = { unconfirmedAfterMs: 500, sweepIntervalMs: 200 };

async function managerOf(url: string, stack: AsyncDisposableStack): Promise<JetStreamManager> {
  const connection = await connect(natsAccess(url));
  stack.defer(() => connection.close());
  return connection.jetstreamManager({ checkAPI: false });
}

test("on a cluster the stream gets as many replicas as are set, keeps them when a server dies, and follows a change", async () => {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await testNatsCluster(3));
  const jsm = await managerOf(cluster.url, stack);
  const info = () => jsm.streams.info(EVENT_STREAM).catch(() => undefined);
  const heard = stack.use(eventPath.consume({ bus: stack.use(busOf(cluster.url, 1)) }));
  const single = eventPath.source({ bus: stack.use(busOf(cluster.url, 1)), ...SWEEP_SOON });
  expect(await eventPath.faults(await eventPath.append(50))).toEqual([]);
  // The events may have arrived on the slow path, before the servers agreed on a leader.
  await waitFor(async () => (await copies(info)) === 1, { describe: "a stream of one replica" });
  await single[Symbol.asyncDispose]();

  eventPath.source({ bus: stack.use(busOf(cluster.url, 3)), ...SWEEP_SOON });
  await waitFor(async () => (await copies(info)) === 3, { describe: "three current replicas" });
  const consumerInfo = () => jsm.consumers.info(EVENT_STREAM, durableName("feed", "response.completed"));
  await waitFor(async () => copiesOf(await consumerInfo()) === 3, { describe: "as many of the consumer" });
  const { config } = await waitFor(consumerInfo, { describe: "the consumer" });
  expect(config.max_deliver).toBe(-1);
  expect(await eventPath.faults(await eventPath.append(50))).toEqual([]);

  const leader = await waitFor(async () => (await info())?.cluster?.leader, { describe: "a leader" });
  const dying = cluster.servers[Number(leader.slice(-1)) - 1]!;
  process.kill(dying.pid, "SIGKILL");
  await dying.exited;
  expect(await eventPath.faults(await eventPath.append(50))).toEqual([]);
  await heard[Symbol.asyncDispose]();
});

async function copies(info: () => Promise<StreamInfo | undefined>): Promise<number> {
  const stream = await info();
  return stream ? copiesOf(stream) : 0;
}

/** Servers that have all of it. Around an election the leader is listed among the replicas too. */
function copiesOf({ cluster }: StreamInfo | ConsumerInfo): number {
  const followers = (cluster?.replicas ?? []).filter(({ current }) => current);
  return new Set([cluster?.leader, ...followers.map(({ name }) => name)]).size;
}

test("a server that stands alone refuses replicas: events take the slow path, and a stream that is there stays", async () => {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await testNats());
  const jsm = await managerOf(nats.url, stack);
  const bus = stack.use(busOf(nats.url, 3));
  stack.use(eventPath.consume({ bus }));
  const outbox = eventPath.source({ bus, ...SWEEP_SOON });
  expect(await eventPath.faults(await eventPath.append(5))).toEqual([]);
  const absence = () => jsm.streams.info(EVENT_STREAM).then(() => "it is there", String);
  await expect.poll(absence).toMatch(/not found/);
  await outbox[Symbol.asyncDispose]();

  const single = eventPath.source({ bus: stack.use(busOf(nats.url, 1)) });
  await waitFor(() => jsm.streams.info(EVENT_STREAM).catch(() => undefined), { describe: "the stream" });
  await single[Symbol.asyncDispose]();
  const refused = eventPath.source({ bus, ...SWEEP_SOON });
  const published = await eventPath.append(5);
  refused.nudge();
  expect(await eventPath.faults(published)).toEqual([]);
  await nats.stop();
  await nats.start();
  expect(await eventPath.faults(await eventPath.append(5))).toEqual([]);
  // The sweep may be faster than the bus; one of them takes it.
  const used = async () => {
    await eventPath.append(1);
    refused.nudge();
    const stream = await jsm.streams.info(EVENT_STREAM);
    return stream.state.last_seq > 0 && stream;
  };
  const { config } = await waitFor(used, { describe: "an event in the stream after a restart" });
  expect(config.num_replicas).toBe(1);
});
