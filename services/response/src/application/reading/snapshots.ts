import { AppError } from "@canvass/errors";
import { sqlFromPg, type OpenPool, type Sql } from "@canvass/postgres";
import { createPlaces } from "@canvass/rpc";

export interface SnapshotLimits {
  perWorkspace: number;
  together: number;
  /** A longer snapshot would keep VACUUM from removing dead rows. */
  lifetimeMs: number;
}

export const usualSnapshots: SnapshotLimits = { perWorkspace: 2, together: 8, lifetimeMs: 15 * 60_000 };

export interface Snapshots {
  /** Runs `read` on a new snapshot. Throws `rate_limited` or `service_unavailable` if too many are open. */
  stream<Piece>(workspaceId: string, read: (sql: Sql) => AsyncGenerator<Piece>): AsyncGenerator<Piece>;
}

export function createSnapshots({ pool }: OpenPool, limits = usualSnapshots): Snapshots {
  const places = createPlaces({ ...limits, perOwner: limits.perWorkspace, counted: "streams" });
  return {
    async *stream(workspaceId, read) {
      using _place = places.take(workspaceId);
      await using snapshot = await openSnapshot(pool, limits.lifetimeMs);
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
