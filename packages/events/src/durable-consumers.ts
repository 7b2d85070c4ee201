import type { EventType } from "@canvass/processes/event-catalogue";
import type { Logger } from "@canvass/telemetry";
import {
  AckPolicy,
  DeliverPolicy,
  nanos,
  type ConsumerConfig,
  type ConsumerInfo,
  type ConsumerUpdateConfig,
  type JetStreamManager,
  type StreamInfo,
} from "nats";
import {
  createStreamIfMissing,
  differences,
  EVENT_STREAM,
  undefinedIfNotFound,
  type StreamSettings,
} from "./streams.ts";
import { eventSubject } from "./bus.ts";

/** In-flight messages for all replicas of the consumer, each with up to a hundred events. */
const MAX_ACK_PENDING = 256;
const ACK_WAIT_MS = 30_000;

/** One durable consumer per type: nats-server 2.9 filters by a single subject. */
export const durableName = (consumer: string, type: EventType): string => `${consumer}-${type.replaceAll(".", "-")}`;

export async function ensureConsumer(
  jsm: JetStreamManager,
  { consumer, type, stream, log }: { consumer: string; type: EventType; stream: StreamSettings; log: Logger },
): Promise<void> {
  await createStreamIfMissing(jsm, stream);
  const wanted = consumerConfig(consumer, type);
  const name = wanted.durable_name;
  const current = await jsm.consumers.info(EVENT_STREAM, name).catch(undefinedIfNotFound);
  if (!current) {
    await jsm.consumers.add(EVENT_STREAM, wanted);
    return;
  }
  // Read the stream after the consumer: a message in between can only make the stream longer.
  if (isAhead(current, await jsm.streams.info(EVENT_STREAM))) {
    log.warn({ consumer: name }, "the stream was rebuilt under its consumer; making the consumer anew");
    await remake(jsm, wanted);
    return;
  }
  const wrong = differences<ConsumerConfig>(current.config, wanted);
  if (wrong.length === 0) return;
  log.warn({ consumer: name, wrong }, "the event consumer was changed; repairing it");
  await jsm.consumers.update(EVENT_STREAM, name, changeable(wanted)).catch(() => undefined);
  const updated = await jsm.consumers.info(EVENT_STREAM, name).catch(undefinedIfNotFound);
  if (!updated || differences<ConsumerConfig>(updated.config, wanted).length > 0) await remake(jsm, wanted);
}

/** True after data loss, for example. Such a consumer gets no message until the stream catches up. */
function isAhead(consumer: ConsumerInfo, stream: StreamInfo): boolean {
  const remembered = Math.max(consumer.delivered.stream_seq, consumer.ack_floor.stream_seq);
  return remembered > stream.state.last_seq || Date.parse(consumer.created) < Date.parse(stream.created);
}

/** Redelivers from the oldest message; receivers recognize duplicates by event id. */
async function remake(jsm: JetStreamManager, wanted: WantedConsumer): Promise<void> {
  await jsm.consumers.delete(EVENT_STREAM, wanted.durable_name).catch(undefinedIfNotFound);
  await jsm.consumers.add(EVENT_STREAM, wanted);
}

type WantedConsumer = Partial<ConsumerConfig> & { durable_name: string };

function consumerConfig(consumer: string, type: EventType): WantedConsumer {
  return {
    durable_name: durableName(consumer, type),
    filter_subject: eventSubject(type),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
    max_ack_pending: MAX_ACK_PENDING,
  };
}

function changeable({ ack_wait, max_deliver, max_ack_pending }: WantedConsumer): ConsumerUpdateConfig {
  return { ack_wait, max_deliver, max_ack_pending };
}
