import { fromBinary } from "@bufbuild/protobuf";
import { inTransaction } from "@canvass/postgres";
import { consumersOf, type Consumer } from "@canvass/processes/event-catalogue";
import { EventSchema } from "@canvass/proto/events";
import type { Logger } from "@canvass/telemetry";
import type { Pool } from "pg";
import type { EventIntakes } from "./connect-intakes.ts";
import { backOffMs, startLoop, type Loop } from "@canvass/jobs";
import { longestWaitStart, overdueEvents, type OverdueRow } from "./outbox.ts";
import { confirmEvents } from "./confirmations.ts";
import { LARGEST_EVENT } from "./append-events.ts";

export interface SweepOptions {
  source: string;
  pool: Pool;
  intakes: EventIntakes;
  log: Logger;
  now: () => Date;
  unconfirmedAfterMs?: number;
  intervalMs?: number;
  /** Called with the ids of events that are about to be sent by RPC and were never published. */
  onUnpublished?: (eventIds: readonly string[]) => unknown;
}

const BATCH = 500;
const BYTES_PER_BATCH = 2 * LARGEST_EVENT;
/** Keeps one consumer's backlog from delaying the others. */
const BATCHES_PER_TURN = 20;
/** Payload bytes per RPC. Larger calls would block the event loop on both sides. */
const BYTES_PER_CALL = LARGEST_EVENT;
const CALL_TIMEOUT_MS = 10_000;
const MAX_BACK_OFF_MS = 15_000;

/** Where a turn that the batch limit ended has stopped. The next one goes on there, so that no event waits for ever. */
interface Position {
  after: OverdueRow | undefined;
}

interface Turn {
  /** The batch limit ended the turn; more events may be overdue. */
  cutShort: boolean;
  /** Time spent in queries, without waiting for a connection. */
  scanMs: number;
}

/** Sends unconfirmed events by RPC; the response confirms them. An advisory lock lets one replica sweep at a time. */
export function startSweep(options: SweepOptions): Loop {
  const { source, pool, log, now, intervalMs = 2000, unconfirmedAfterMs = 15_000 } = options;
  const sweepers = consumersOf(source).map((consumer) => createSweeper(consumer, options));

  /** Milliseconds to the next overdue event. Capped, because an event appended later cannot be overdue sooner. */
  async function untilOverdueMs(): Promise<number> {
    const since = await inTransaction(pool, longestWaitStart);
    if (since === null) return unconfirmedAfterMs;
    return Math.min(since.getTime() + unconfirmedAfterMs - now().getTime(), unconfirmedAfterMs);
  }

  async function round(stopping: AbortSignal): Promise<number> {
    const pauseMs = await untilOverdueMs();
    return pauseMs > 0 ? pauseMs : sweepOnce(stopping);
  }

  async function sweepOnce(stopping: AbortSignal): Promise<number> {
    const turns = await inTransaction(pool, async (sql) => {
      const [lock] = await sql.query<{ taken: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('canvass event sweep', 0)) AS taken`,
      );
      return lock?.taken ? Promise.all(sweepers.map((sweep) => sweep(stopping))) : [];
    });
    if (turns.some(({ cutShort }) => cutShort)) return 0;
    // A scan also reads events that other consumers have yet to confirm. Limit scans to a twentieth of the time.
    return Math.max(intervalMs, ...turns.map(({ scanMs }) => 20 * scanMs));
  }

  return startLoop({
    round,
    minGapMs: Math.min(100, intervalMs),
    maxBackOffMs: MAX_BACK_OFF_MS,
    onFailure: (error, inARow) => {
      if (inARow === 1) log.warn({ err: error }, "unconfirmed events could not be swept");
    },
  });
}

/** Sweeps for one consumer, with its own back-off. A consumer's failure is logged, never thrown. */
function createSweeper(entry: Consumer, options: SweepOptions): (stopping: AbortSignal) => Promise<Turn> {
  const { log } = options;
  let failures = 0;
  let notBefore = 0;
  let lastScanMs = 0;
  const position: Position = { after: undefined };
  return async (stopping) => {
    const turn: Turn = { cutShort: false, scanMs: 0 };
    if (performance.now() < notBefore) return turn;
    try {
      await handOverAll(entry, options, position, turn, stopping);
      failures = 0;
    } catch (error) {
      turn.cutShort = false;
      failures += 1;
      notBefore = performance.now() + backOffMs(failures + 1, MAX_BACK_OFF_MS);
      if (failures === 1) log.warn({ err: error, ...entry }, "events could not be handed over; trying again");
    }
    // Use the shorter of two scans: a single slow one (a lock, a busy machine) must not delay the next sweep.
    const { scanMs } = turn;
    turn.scanMs = Math.min(scanMs, lastScanMs);
    lastScanMs = scanMs;
    return turn;
  };
}

async function handOverAll(
  entry: Consumer,
  options: SweepOptions,
  position: Position,
  turn: Turn,
  stopping: AbortSignal,
): Promise<void> {
  const { pool, now, unconfirmedAfterMs = 15_000 } = options;
  const before = new Date(now().getTime() - unconfirmedAfterMs);
  let kept = 0;
  for (let batch = 0; batch < BATCHES_PER_TURN && !stopping.aborted; batch += 1) {
    const what = { consumer: entry.consumer, before, after: position.after, limit: BATCH, bytes: BYTES_PER_BATCH };
    const { rows, isLast } = await inTransaction(pool, async (sql) => {
      const started = performance.now();
      const page = await overdueEvents(sql, what);
      turn.scanMs += performance.now() - started;
      return page;
    });
    for (const call of callsOf(rows)) kept += await handOver(entry, options, call);
    position.after = isLast ? undefined : rows.at(-1);
    if (isLast) break;
    turn.cutShort = batch === BATCHES_PER_TURN - 1;
  }
  // These events do not block later ones, but the turn counts as failed.
  if (kept > 0) throw new Error(`${kept} events were not stored`);
}

function callsOf(rows: readonly OverdueRow[]): OverdueRow[][] {
  const calls: OverdueRow[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    bytes += row.payload.length;
    if (bytes > BYTES_PER_CALL) {
      calls.push([]);
      bytes = row.payload.length;
    }
    calls.at(-1)!.push(row);
  }
  return calls;
}

async function handOver(
  { consumer, service }: Consumer,
  { pool, intakes, onUnpublished }: SweepOptions,
  rows: readonly OverdueRow[],
): Promise<number> {
  const unpublished = rows.filter(({ publishedAt }) => publishedAt === null);
  if (unpublished.length > 0) onUnpublished?.(unpublished.map(({ eventId }) => eventId));
  const events = rows.map(({ payload }) => fromBinary(EventSchema, payload));
  const { storedEventIds } = await intakes[service]!.handOverEvents(
    { consumer, events },
    { timeoutMs: CALL_TIMEOUT_MS },
  );
  await confirmEvents(pool, storedEventIds, [consumer]);
  return rows.length - storedEventIds.length;
}
