import { openFileStore } from "../../storage/file-store/open-file-store.ts";
import { inTransaction, openPool, sqlFromPg } from "@canvass/postgres";
import { parentPort, workerData } from "node:worker_threads";
import { collectParts, countRows } from "./collect-parts.ts";
import { encodeFile } from "./encode-file.ts";
import type { ExportHost, ExportWork } from "./export-work.ts";
import { settleCodes } from "./settle-codes.ts";
import { callsTo, toSentError } from "./thread-calls.ts";

const work = workerData as ExportWork;
const host = callsTo<ExportHost>(parentPort!);
const connection = {
  url: work.databaseUrl,
  poolSize: 1,
  applicationName: "canvass-export",
  statementTimeoutMs: 60_000,
};

async function run(): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const files = parts.use(openFileStore(work.files));
  const { pool } = parts.use(openPool(connection));
  const sql = sqlFromPg(pool);
  const checkpoint = await collectParts(sql, files, work, host);
  const file = await encodeFile(files, work, checkpoint, {
    host,
    settleCodes: (questions) => inTransaction(pool, (own) => settleCodes(own, work, questions)),
  });
  await host.finish({ rowCount: countRows(checkpoint), ...file });
}

const end = (error: unknown) => ({ error: error === undefined ? null : toSentError(error) });
const outcome = await run().then(
  () => end(undefined),
  (error: unknown) => end(error ?? new Error("nothing was thrown")),
);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
parentPort!.postMessage({ outcome });
parentPort!.close();
