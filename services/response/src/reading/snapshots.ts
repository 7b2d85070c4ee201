import { AppError } from "@canvass/errors";
import { sqlFromPg, type OpenPool, type Sql } from "@canvass/postgres";

export interface SnapshotLimits {
  /** Open at once of one workspace, and of all. */
  perWorkspace: number;
  together: number;
  /** A snapshot held longer would keep the database from cleaning up what others delete. */
  lifetimeMs: number;
}

export const usualSnapshots: SnapshotLimits = { perWorkspace: 2, together: 4, lifetimeMs: 15 * 60_000 };

/** Streams that are read out of one moment of the database, on connections of their own. */
export interface Snapshots {
  /**
   * Runs `read` on a new snapshot, which ends with the stream. Throws `service_unavailable` when the workspace, or this
   * process, has too many open, and `deadline_exceeded` once the snapshot is too old.
   */
  stream<Piece>(workspaceId: string, read: (sql: Sql) => AsyncGenerator<Piece>): AsyncGenerator<Piece>;
}

export function createSnapshots({ pool }: OpenPool, limits = usualSnapshots): Snapshots {
  const open = new Map<string, number>();
  let together = 0;

  function reserve(workspaceId: string): Disposable {
    const own = open.get(workspaceId) ?? 0;
    if (own >= limits.perWorkspace || together >= limits.together) throw new AppError("service_unavailable");
    open.set(workspaceId, own + 1);
    together += 1;
    const reserved = new DisposableStack();
    reserved.defer(() => {
      together -= 1;
      const left = open.get(workspaceId)! - 1;
      if (left > 0) open.set(workspaceId, left);
      else open.delete(workspaceId);
    });
    return reserved;
  }

  return {
    async *stream(workspaceId, read) {
      using _reserved = reserve(workspaceId);
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
  // Emitted for a connection lost between statements; without a listener it would end the process.
  const onError = (error: Error) => (broken = error);
  client.on("error", onError);
  // Also while the reader rests: a closed connection ends its transaction.
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
