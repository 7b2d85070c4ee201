import { AppError } from "@canvass/errors";
import { sqlFromPg, type OpenPool, type Sql } from "@canvass/postgres";
import { createKeyedSemaphore } from "@canvass/fairness";

export interface SnapshotLimits {
  perWorkspace: number;
  total: number;
  /** A longer snapshot would keep VACUUM from removing dead rows. */
  lifetimeMs: number;
}

export const usualSnapshots: SnapshotLimits = { perWorkspace: 2, total: 8, lifetimeMs: 15 * 60_000 };

export interface Snapshots {
  /** Runs `read` on a new snapshot. Throws `rate_limited` or `service_unavailable` if too many are open. */
  stream<Part>(workspaceId: string, read: (sql: Sql) => AsyncGenerator<Part>): AsyncGenerator<Part>;
}

export function createSnapshots({ pool }: OpenPool, limits = usualSnapshots): Snapshots {
  const { perWorkspace: perKey, total, lifetimeMs } = limits;
  const permits = createKeyedSemaphore({ perKey, total, reserved: total / 2, counted: "streams" });
  return {
    async *stream(workspaceId, read) {
      using _permit = permits.acquire(workspaceId);
      await using snapshot = await openSnapshot(pool, lifetimeMs);
      try {
        yield* read(snapshot.sql);
      } catch (error) {
        throw snapshot.isOver() ? new AppError("deadline_exceeded") : error;
      }
    },
  };
}

async function openSnapshot(pool: OpenPool["pool"], lifetimeMs: number) {
  const client = await pool.connect();
  let [isOver, broken]: [boolean, Error | boolean] = [false, false];
  // Emitted if the connection is lost between statements. Without a listener it would end the process.
  const onError = (error: Error) => (broken = error);
  client.on("error", onError);
  // Also fires while the reader is idle. Closing the connection ends its transaction.
  const timer = setTimeout(() => {
    isOver = true;
    client.release(true);
  }, lifetimeMs).unref();
  const close = async () => {
    clearTimeout(timer);
    if (!isOver) {
      await client.query("ROLLBACK").catch(() => (broken = true));
      client.release(broken);
    }
    client.removeListener("error", onError);
  };
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  } catch (error) {
    await close();
    throw error;
  }
  return { sql: sqlFromPg(client), isOver: () => isOver, [Symbol.asyncDispose]: close };
}
