import { openFileStore } from "@canvass/file-store";
import { inTransaction } from "@canvass/postgres";
import { Pool } from "pg";
import { parentPort, workerData } from "node:worker_threads";
import { collectParts, countRows } from "./collect-parts.ts";
import { encodeFile } from "./encode-file.ts";
import type { ExportHost, ExportWork } from "./export-work.ts";
import { settleCodes } from "./settle-codes.ts";
import { callsTo, toSentError } from "./thread-calls.ts";

/** The program of a thread that runs one export. It has a database connection of its own. */
const work = workerData as ExportWork;
const host = callsTo<ExportHost>(parentPort!);

async function run(): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const files = parts.use(openFileStore(work.files));
  const pool = parts.adopt(openPool(), (open) => open.end());
  const sql = {
    query: async <Row>(text: string, params: readonly unknown[] = []) =>
      (await pool.query(text, [...params])).rows as Row[],
  };
  const checkpoint = await collectParts(sql, files, work, host);
  const file = await encodeFile(files, work, checkpoint, {
    host,
    settleCodes: (questions) => inTransaction(pool, (own) => settleCodes(own, work, questions)),
  });
  await host.finish({ rowCount: countRows(checkpoint), ...file });
}

function openPool(): Pool {
  const pool = new Pool({
    connectionString: work.databaseUrl,
    max: 1,
    application_name: "canvass-export",
    statement_timeout: 60_000,
    query_timeout: 65_000,
    connectionTimeoutMillis: 5_000,
    options: "-c TimeZone=UTC -c plan_cache_mode=force_custom_plan",
  });
  // Without a listener a connection that breaks would end the thread; the next statement fails.
  pool.on("error", () => undefined);
  return pool;
}

const end = (error: unknown) => ({ error: error === undefined ? null : toSentError(error) });
const outcome = await run().then(
  () => end(undefined),
  (error: unknown) => end(error ?? new Error("nothing was thrown")),
);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
parentPort!.postMessage({ outcome });
parentPort!.close();
