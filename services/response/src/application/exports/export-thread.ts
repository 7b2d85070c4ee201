import { openFileStore } from "../../storage/file-store/open-file-store.ts";
import { answerOwner } from "@canvass/fairness/threads";
import { inTransaction, openPool, sqlFromPg } from "@canvass/postgres";
import { parentPort } from "node:worker_threads";
import { collectParts, countRows } from "./collect-parts.ts";
import { encodeFile } from "./encode-file.ts";
import type { ExportHost, ExportWork } from "./export-work.ts";
import { settleCodes } from "./settle-codes.ts";
import { callsTo } from "./thread-calls.ts";

const host = callsTo<ExportHost>(parentPort!);
const connection = { poolSize: 1, applicationName: "canvass-export", statementTimeoutMs: 60_000 };

answerOwner(async (work: ExportWork): Promise<void> => {
  await using parts = new AsyncDisposableStack();
  const files = parts.use(openFileStore(work.files));
  const { pool } = parts.use(openPool({ ...connection, url: work.databaseUrl }));
  const sql = sqlFromPg(pool);
  const checkpoint = await collectParts(sql, files, work, host);
  const file = await encodeFile(files, work, checkpoint, {
    host,
    settleCodes: (questions) => inTransaction(pool, (own) => settleCodes(own, work, questions)),
  });
  await host.finish({ rowCount: countRows(checkpoint), ...file });
});
