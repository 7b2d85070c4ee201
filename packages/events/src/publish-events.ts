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
 * Publishes all at once; resolves when each message is acknowledged or refused. A message carries many events of one
 * type, since the cost of a message bounds the throughput.
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

/** Written around the rows' already encoded events. */
function encodeBatch(rows: readonly OutboxRow[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { payload } of rows)
    writer.tag(EventBatchSchema.field.events.number, WireType.LengthDelimited).bytes(payload);
  return writer.finish();
}

/** The same for the same batch, so that the stream drops a repetition. */
function messageId(rows: readonly OutboxRow[]): string {
  const [first] = rows;
  if (rows.length === 1) return first!.eventId;
  return `${first!.eventId}-${rows.at(-1)!.eventId}-${rows.length}`;
}
