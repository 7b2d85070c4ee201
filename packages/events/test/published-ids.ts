import { fromBinary } from "@bufbuild/protobuf";
import { EventBatchSchema } from "@canvass/proto/events";
import { natsAccess } from "@canvass/testing";
import { connect, type NatsConnection } from "nats";
import { EVENT_STREAM } from "../src/streams.ts";
import type { EventPath } from "./event-path.ts";

export async function connectNats(eventPath: EventPath): Promise<NatsConnection> {
  return connect(natsAccess(eventPath.nats.url));
}

/** The ids of all events in the stream, in order, repetitions included. */
export async function publishedIds(nats: NatsConnection): Promise<string[]> {
  const jsm = await nats.jetstreamManager();
  const { state } = await jsm.streams.info(EVENT_STREAM);
  const ids: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const { data } = await jsm.streams.getMessage(EVENT_STREAM, { seq });
    ids.push(...fromBinary(EventBatchSchema, data).events.map(({ eventId }) => eventId));
  }
  return ids;
}
