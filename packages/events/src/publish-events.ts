import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { EventBatchSchema } from "@canvass/proto/events";
import type { JetStreamClient } from "nats";
import { eventSubject, type EventType } from "./catalogue.ts";
import type { OutboxRow } from "./outbox.ts";
import { EVENT_STREAM } from "./streams.ts";

const EVENTS_PER_MESSAGE = 100;
const BYTES_PER_MESSAGE = 256 * 1024;
const ACK_TIMEOUT_MS = 5000;

export interface Refusals {
  eventIds: string[];
  error: unknown;
}

/**
 * Publishes events to the stream, all messages at once, and resolves when each is acknowledged or refused. A message
 * carries the events of one type that were taken together, because what a message costs here, in the server and in
 * each consumer is what bounds the throughput. Its message id is the event id when it carries one event.
 */
export async function publishEvents(jetstream: JetStreamClient, rows: readonly OutboxRow[]): Promise<Refusals> {
  const refusals: Refusals = { eventIds: [], error: undefined };
  const publications = messagesOf(rows).map(async (message) => {
    try {
      await jetstream.publish(eventSubject(message.type as EventType), encodeBatch(message.rows), {
        msgID: messageId(message.rows),
        expect: { streamName: EVENT_STREAM },
        timeout: ACK_TIMEOUT_MS,
      });
    } catch (error) {
      refusals.error = error;
      refusals.eventIds.push(...message.rows.map(({ eventId }) => eventId));
    }
  });
  await Promise.all(publications);
  return refusals;
}

interface Message {
  type: string;
  rows: OutboxRow[];
}

export function messagesOf(rows: readonly OutboxRow[]): Message[] {
  const messages: Message[] = [];
  for (const [type, ofType] of Map.groupBy(rows, (row) => row.type)) {
    let open: OutboxRow[] = [];
    let bytes = 0;
    for (const row of ofType) {
      if (open.length === EVENTS_PER_MESSAGE || (open.length > 0 && bytes + row.payload.length > BYTES_PER_MESSAGE)) {
        messages.push({ type, rows: open });
        open = [];
        bytes = 0;
      }
      open.push(row);
      bytes += row.payload.length;
    }
    messages.push({ type, rows: open });
  }
  return messages;
}

/** The rows hold encoded events already, so the batch is written around them. */
function encodeBatch(rows: readonly OutboxRow[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { payload } of rows)
    writer.tag(EventBatchSchema.field.events.number, WireType.LengthDelimited).bytes(payload);
  return writer.finish();
}

/** Several events go under their first and last id and their number: the same batch again has the same id. */
function messageId(rows: readonly OutboxRow[]): string {
  const [first] = rows;
  if (rows.length === 1) return first!.eventId;
  return `${first!.eventId}-${rows.at(-1)!.eventId}-${rows.length}`;
}
