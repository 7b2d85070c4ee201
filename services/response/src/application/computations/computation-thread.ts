import { answerOwner } from "@canvass/fairness/threads";
import { inTransaction, openPool, type OpenPool } from "@canvass/postgres";
import { parentPort } from "node:worker_threads";
import { callsTo } from "../exports/thread-calls.ts";
import { computations, type ComputationHost, type ComputationWork } from "./computation.ts";
import { matchingRespondents } from "./matching-respondents.ts";

const host = callsTo<ComputationHost>(parentPort!);
const connection = { poolSize: 1, kept: 0, applicationName: "canvass-results", statementTimeoutMs: 30_000 };
/** Kept with the thread, which has one work at a time. */
let opened: OpenPool | undefined;

answerOwner(({ name, query, input, databaseUrl }: ComputationWork): Promise<unknown> => {
  opened ??= openPool({ ...connection, url: databaseUrl });
  return inTransaction(
    opened.pool,
    (sql) =>
      computations[name](
        matchingRespondents(sql, query, (versionId) => host.definition(versionId)),
        input,
      ),
    { isolation: "repeatable read" },
  );
});
