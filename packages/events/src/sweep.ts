import { fromBinary } from "@bufbuild/protobuf";
import { inTransaction } from "@canvass/postgres";
import { consumersOf, type Consumer } from "@canvass/processes/event-catalogue";
import { EventSchema } from "@canvass/proto/events";
import type { Logger } from "@canvass/telemetry";
import type { Pool } from "pg";
import type { EventIntakes } from "./connect-intakes.ts";
import { backOffMs, startLoop, type Loop } from "@canvass/jobs";
import { confirmEvents, LARGEST_EVENT, longestAwaited, overdueEvents, type OverdueRow } from "./outbox.ts";

export interface SweepOptions {
  source: string;
  pool: Pool;
  intakes: EventIntakes;
  log: Logger;
  now: () => Date;
  /** Default 15,000. */
  unconfirmedAfterMs?: number;
  /** Milliseconds between sweeps. Default 2,000. */
  intervalMs?: number;
  /** Events were handed over that nobody had published. */
  onUnpublished?: (eventIds: readonly string[]) => unknown;
}

const BATCH = 500;
/** Of the payloads of a batch, which are held until they are handed over. */
const BYTES_PER_BATCH = 2 * LARGEST_EVENT;
/** So that one consumer's backlog does not delay the others. */
const BATCHES_PER_TURN = 20;
/** Of a hand-over: more would hold the event loop of both sides. */
const BYTES_PER_CALL = LARGEST_EVENT;
const CALL_TIMEOUT_MS = 10_000;
const MAX_BACK_OFF_MS = 15_000;

interface Turn {
  /** There is more. */
  cutShort: boolean;
  /** Without the waits for a connection. */
  scanMs: number;
}

/**
 * Hands unconfirmed events over by RPC, without the bus; the answer confirms them. An advisory lock lets one replica
 * sweep at a time.
 */
export function startSweep(options: SweepOptions): Loop {
  const { source, pool, log, now, intervalMs = 2000, unconfirmedAfterMs = 15_000 } = options;
  const sweepers = consumersOf(source).map((consumer) => createSweeper(consumer, options));

  /** What is appended later is not overdue sooner, so it is soon enough to look again then. */
  async function untilOverdueMs(): Promise<number> {
    const since = await inTransaction(pool, longestAwaited);
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
    // Scans pass events that others have yet to confirm: they take at most a twentieth of the time.
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

/** One consumer's sweeps, with their own back-off. A turn never throws because of the consumer. */
function createSweeper(entry: Consumer, options: SweepOptions): (stopping: AbortSignal) => Promise<Turn> {
  const { log } = options;
  let failures = 0;
  let notBefore = 0;
  let lastScanMs = 0;
  return async (stopping) => {
    const turn: Turn = { cutShort: false, scanMs: 0 };
    if (performance.now() < notBefore) return turn;
    try {
      await handOverAll(entry, options, turn, stopping);
      failures = 0;
    } catch (error) {
      turn.cutShort = false;
      failures += 1;
      notBefore = performance.now() + backOffMs(failures + 1, MAX_BACK_OFF_MS);
      if (failures === 1) log.warn({ err: error, ...entry }, "events could not be handed over; trying again");
    }
    // The lesser of two turns: what held one of them up, such as a lock or a busy machine, must not keep the sweep away.
    const { scanMs } = turn;
    turn.scanMs = Math.min(scanMs, lastScanMs);
    lastScanMs = scanMs;
    return turn;
  };
}

async function handOverAll(entry: Consumer, options: SweepOptions, turn: Turn, stopping: AbortSignal): Promise<void> {
  const { pool, now, unconfirmedAfterMs = 15_000 } = options;
  const before = new Date(now().getTime() - unconfirmedAfterMs);
  let after: OverdueRow | undefined;
  let kept = 0;
  for (let batch = 0; batch < BATCHES_PER_TURN && !stopping.aborted; batch += 1) {
    const what = { consumer: entry.consumer, before, after, limit: BATCH, bytes: BYTES_PER_BATCH };
    const { rows, isLast } = await inTransaction(pool, async (sql) => {
      const started = performance.now();
      const page = await overdueEvents(sql, what);
      turn.scanMs += performance.now() - started;
      return page;
    });
    for (const call of callsOf(rows)) kept += await handOver(entry, options, call);
    if (isLast) break;
    after = rows.at(-1);
    turn.cutShort = batch === BATCHES_PER_TURN - 1;
  }
  // They do not hide later ones, but the turn counts as failed.
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

/** Returns how many were not stored. Throws when the service is unreachable. */
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
