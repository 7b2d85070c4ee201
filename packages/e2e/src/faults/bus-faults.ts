import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { newEvent } from "@canvass/events";
import { EventBatchSchema } from "@canvass/proto/events";
import { natsAccess } from "@canvass/testing";
import { connect, type NatsConnection } from "nats";
import type { FaultWorld } from "./fault-world.ts";

const STREAM = "canvass-events";
const SUBJECT = "canvass.events.response.completed";
/** Marks poison events, so that their rows can be recognized. */
export const POISON_SURVEY = "poison\0";

const natsDir = ({ dataDir }: FaultWorld) => join(dataDir, "nats");

/** Call only while NATS is stopped. */
export async function wipeStore(world: FaultWorld): Promise<void> {
  await rm(natsDir(world), { recursive: true, force: true, maxRetries: 10 });
}

/**
 * Deletes all messages but keeps the consumers, whose positions are then ahead of the stream. Call only while NATS is
 * stopped.
 */
export async function rebuildStream(world: FaultWorld): Promise<void> {
  const files = await readdir(natsDir(world), { recursive: true });
  for (const path of files.filter((name) => /streams\/[^/]+\/msgs$/.test(name))) {
    await rm(join(natsDir(world), path), { recursive: true, maxRetries: 10 });
  }
}

export const deleteStream = (world: FaultWorld) =>
  onBus(world, async (nats) => {
    await (await nats.jetstreamManager()).streams.delete(STREAM).catch(ifAbsent);
  });

export const deleteConsumers = (world: FaultWorld) =>
  onBus(world, async (nats) => {
    const jsm = await nats.jetstreamManager();
    const names = await jsm.consumers.list(STREAM).next().catch(ifAbsent);
    for (const { name } of names ?? []) await jsm.consumers.delete(STREAM, name).catch(ifAbsent);
  });

/** Publishes bytes that do not decode to events. */
export const publishUnparsable = (world: FaultWorld) =>
  onBus(world, async (nats) => nats.publish(SUBJECT, Buffer.from("rubbish")));

/** Publishes an event that the survey service cannot store, for a workspace without webhooks. */
export const publishUnstorable = (world: FaultWorld) =>
  onBus(world, async (nats) => {
    const { workspaceId } = world.system.local;
    const body = { surveyId: POISON_SURVEY, responseId: "r", completedAt: "c", timestamp: "t" };
    const event = newEvent({ workspaceId, occurredAt: new Date(), body: { case: "responseCompleted", value: body } });
    nats.publish(SUBJECT, toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] })));
  });

async function onBus({ system }: FaultWorld, work: (nats: NatsConnection) => Promise<unknown>): Promise<void> {
  const nats = await connect({ ...natsAccess(system.local.natsUrl), maxReconnectAttempts: 100 });
  try {
    await work(nats);
    await nats.flush();
  } finally {
    await nats.close();
  }
}

/** Streams and consumers may be missing for a moment: NATS may recreate them at any time. */
function ifAbsent(error: unknown): undefined {
  if (!/not found/.test(String(error))) throw error;
}
