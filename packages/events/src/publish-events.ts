import { createBatcher } from "@canvass/fairness";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { EventType } from "@canvass/processes/event-catalogue";
import { EventBatchSchema } from "@canvass/proto/events";
import { errorType, giveUpAfter, type Logger } from "@canvass/telemetry";
import type { NatsConnection } from "nats";
import { endSpans, startPublishSpans } from "./event-spans.ts";
import type { OutboxRow } from "./append-events.ts";
import { EVENT_STREAM } from "./streams.ts";
import { eventSubject, type Bus } from "./bus.ts";

/** Many, because throughput is bounded by the cost per message. */
const EVENTS_PER_MESSAGE = 100;
const BYTES_PER_MESSAGE = 256 * 1024;
/** Overhead of a message besides payloads: its id, the stream's name, tags and lengths. */
const ENVELOPE_BYTES = 4096;
const ACK_TIMEOUT_MS = 5000;
/** Assumed if the server does not report its limit. */
const USUAL_MAX_PAYLOAD = 2 ** 20;

export interface PublishResult {
  /** Ids of events that the bus did not acknowledge. */
  refused: string[];
  /** Why, for one of them. */
  error: unknown;
}

/** Resolves when each message is acknowledged or refused. Leaves out events above the server's limit. */
export async function publishEvents(
  connection: NatsConnection,
  rows: readonly OutboxRow[],
  log: Logger,
): Promise<PublishResult> {
  const jetstream = connection.jetstream();
  const maxPayload = connection.info?.max_payload ?? USUAL_MAX_PAYLOAD;
  const room = maxPayload - ENVELOPE_BYTES;
  const tooLarge = rows.filter(({ payload }) => payload.length > room);
  if (tooLarge.length > 0) {
    const eventIds = tooLarge.map(({ eventId }) => eventId);
    log.warn({ eventIds, maxPayload }, "too large for the bus: handed over by RPC");
  }
  const publication: PublishResult = { refused: [], error: undefined };
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

export interface CommitPublisherOptions {
  bus: Bus;
  log: Logger;
  /** Called if events were not published: the relay must read the outbox. */
  onMissed: () => void;
  /** Called if events were published: mark them once they are old enough. */
  onPublished: () => void;
}

export interface CommitPublisher {
  /** Publishes in the background. Never throws. */
  publish(rows: readonly OutboxRow[]): void;
  /** Removes and returns the ids of events that were published at least `ageMs` ago. */
  takePublished(ageMs: number): string[];
  /** Milliseconds since the oldest event not yet taken was published; undefined if there is none. */
  readonly publishedFor: number | undefined;
  /** Resolves when the events given so far are published or missed. */
  settled(): Promise<void>;
}

const BATCH = 1000;
/** More events are left to the relay. */
const MAX_WAITING = 10_000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Batches to remember. Events not remembered may be published again; consumers recognize duplicates. */
const MAX_UNMARKED = 1000;
/** Pause between consecutive batches, so that they grow. The first batch after idle leaves at once. */
const LINGER_MS = 5;
/** Deadline of a batch. It ends only what hangs: the bus acknowledges or refuses within `ACK_TIMEOUT_MS`. */
const DEADLINE_MS = 10_000;

/** Publishes events from memory right after their commit. The outbox keeps those that it misses. */
export function createCommitPublisher({ bus, log, onMissed, onPublished }: CommitPublisherOptions): CommitPublisher {
  const held = { rows: 0, bytes: 0 };
  let unmarked: { at: number; ids: string[] }[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const publishSoon = createBatcher<OutboxRow, void>({
    maxSize: BATCH,
    maxInFlight: 1,
    maxQueued: Number.POSITIVE_INFINITY,
    linger: { ms: LINGER_MS, enough: BATCH },
    async send(rows) {
      // Errors are not logged here: the relay retries and reports them.
      await giveUpAfter(DEADLINE_MS, (signal) => publishBatch(rows, signal)).catch(onMissed);
      hold(rows, -1);
      return rows.map(() => undefined);
    },
  });

  function hold(rows: readonly OutboxRow[], sign: 1 | -1): void {
    held.rows += sign * rows.length;
    held.bytes += sign * bytesOf(rows);
  }

  async function publishBatch(rows: readonly OutboxRow[], signal: AbortSignal): Promise<void> {
    const connection = bus.connected ? await bus.whenConnected(signal) : undefined;
    if (!connection) return onMissed();
    const { refused } = await publishEvents(connection, rows, log);
    if (refused.length > 0) onMissed();
    const missed = new Set(refused);
    // Too large ones count as published: the sweep sends what is published and unconfirmed by RPC.
    remember(rows.map(({ eventId }) => eventId).filter((id) => !missed.has(id)));
  }

  function remember(ids: string[]): void {
    if (ids.length === 0 || unmarked.length >= MAX_UNMARKED) return;
    unmarked.push({ at: performance.now(), ids });
    onPublished();
  }

  return {
    publish(rows) {
      if (rows.length === 0) return;
      const isFull = held.rows > MAX_WAITING || held.bytes + bytesOf(rows) > MAX_WAITING_BYTES;
      if (!bus.connected || isFull) return onMissed();
      hold(rows, 1);
      last = Promise.all(rows.map(publishSoon));
    },
    takePublished(ageMs) {
      const until = performance.now() - ageMs;
      const old = unmarked.filter(({ at }) => at <= until);
      unmarked = unmarked.filter(({ at }) => at > until);
      return old.flatMap(({ ids }) => ids);
    },
    get publishedFor() {
      const [oldest] = unmarked;
      return oldest && performance.now() - oldest.at;
    },
    async settled() {
      await last;
    },
  };
}

const bytesOf = (rows: readonly OutboxRow[]): number => rows.reduce((sum, { payload }) => sum + payload.length, 0);
