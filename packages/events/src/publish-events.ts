import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { EventType } from "@canvass/processes/event-catalogue";
import { EventBatchSchema } from "@canvass/proto/events";
import type { JetStreamClient } from "nats";
import { errorType } from "@canvass/telemetry";
import { endSpans, startPublishSpans } from "./event-spans.ts";
import type { OutboxRow } from "./append-events.ts";
import { EVENT_STREAM } from "./streams.ts";
import { eventSubject } from "./bus.ts";

/** Many, because throughput is bounded by the cost per message. */
const EVENTS_PER_MESSAGE = 100;
const BYTES_PER_MESSAGE = 256 * 1024;
/** Overhead of a message besides payloads: its id, the stream's name, tags and lengths. */
const ENVELOPE_BYTES = 4096;
const ACK_TIMEOUT_MS = 5000;
/** Assumed if the server does not report its limit. */
export const USUAL_MAX_PAYLOAD = 2 ** 20;

export interface Publication {
  /** Above the server's limit: never published. */
  tooLarge: string[];
  refused: string[];
  error: unknown;
}

/** Resolves when each message is acknowledged or refused. `maxPayload` is the server's limit of a message in bytes. */
export async function publishEvents(
  jetstream: JetStreamClient,
  rows: readonly OutboxRow[],
  maxPayload: number,
): Promise<Publication> {
  const room = maxPayload - ENVELOPE_BYTES;
  const tooLarge = rows.filter(({ payload }) => payload.length > room);
  const publication: Publication = { tooLarge: tooLarge.map(({ eventId }) => eventId), refused: [], error: undefined };
  const fitting = tooLarge.length === 0 ? rows : rows.filter(({ payload }) => payload.length <= room);
  const messages = messagesOf(fitting, Math.min(room, BYTES_PER_MESSAGE)).map(async (message) => {
    const spans = startPublishSpans(message.rows);
    try {
      await jetstream.publish(eventSubject(message.type as EventType), encodeBatch(message.rows), {
        msgID: messageId(message.rows),
        expect: { streamName: EVENT_STREAM },
        timeout: ACK_TIMEOUT_MS,
      });
      endSpans(spans);
    } catch (error) {
      endSpans(spans, errorType(error));
      publication.error = error;
      publication.refused.push(...message.rows.map(({ eventId }) => eventId));
    }
  });
  await Promise.all(messages);
  return publication;
}

interface Message {
  type: string;
  rows: OutboxRow[];
}

export function messagesOf(rows: readonly OutboxRow[], maxBytes: number): Message[] {
  const messages: Message[] = [];
  for (const [type, ofType] of Map.groupBy(rows, (row) => row.type)) {
    let open: OutboxRow[] = [];
    let bytes = 0;
    for (const row of ofType) {
      if (open.length === EVENTS_PER_MESSAGE || (open.length > 0 && bytes + row.payload.length > maxBytes)) {
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

function encodeBatch(rows: readonly OutboxRow[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { payload } of rows)
    writer.tag(EventBatchSchema.field.events.number, WireType.LengthDelimited).bytes(payload);
  return writer.finish();
}

/** Deterministic per batch, so that the stream drops a duplicate. */
function messageId(rows: readonly OutboxRow[]): string {
  const [first] = rows;
  if (rows.length === 1) return first!.eventId;
  return `${first!.eventId}-${rows.at(-1)!.eventId}-${rows.length}`;
}
