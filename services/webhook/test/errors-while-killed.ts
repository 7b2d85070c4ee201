import { inTransaction, openPool, recognizeDatabaseError, sqlFromPg } from "@canvass/postgres";
import { startPostgres } from "@canvass/dev-env/servers";
import { waitFor } from "@canvass/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Queries a database while it is killed `kills` times. Returns the errors other than `service_unavailable`. */
export async function errorsWhileKilled(kills: number): Promise<unknown[]> {
  await using running = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "canvass-killed-database-"));
  running.defer(() => rm(folder, { recursive: true, force: true }));
  let server = await startPostgres({ dataDir: join(folder, "data") });
  running.defer(() => server[Symbol.asyncDispose]());
  const shared = { url: server.url, applicationName: "killed-database" };
  const { pool } = running.use(openPool({ ...shared, poolSize: 4 }));
  const hot = running.use(openPool({ ...shared, poolSize: 2, plans: "kept", plansKeptMs: 1 }));
  const paths = [
    () => pool.query("SELECT 1"),
    () => sqlFromPg(hot.pool).query("SELECT $1::int", [1]),
    () => inTransaction(pool, (sql) => sql.query("SELECT $1::int", [2])),
    () => inTransaction(hot.pool, async (sql, defer) => defer(sql.query("SELECT 3"))),
  ];
  let answered = 0;
  const over = new AbortController();
  const others: unknown[] = [];
  const askers = Array.from({ length: 24 }, async (_, index) => {
    while (!over.signal.aborted) {
      await paths[index % paths.length]!().then(
        () => (answered += 1),
        (error: unknown) => {
          if (recognizeDatabaseError(error)?.code !== "service_unavailable") others.push(error);
        },
      );
      await new Promise(setImmediate);
    }
  });
  for (let kill = 0; kill < kills; kill += 1) {
    const before = answered;
    await waitFor(() => answered > before + 200, { describe: "answers", timeoutMs: 60_000 });
    process.kill(server.pid, "SIGKILL");
    await server.exited;
    server = await startPostgres({ dataDir: join(folder, "data"), port: server.port });
  }
  over.abort();
  await Promise.all(askers);
  return others;
}
