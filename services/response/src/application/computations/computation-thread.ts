import { answerOwner } from "@canvass/fairness/threads";
import { inTransaction, openPool, type OpenPool } from "@canvass/postgres";
import { parentPort } from "node:worker_threads";
import { callsTo } from "../exports/thread-calls.ts";
import { computations, type ComputationHost, type ComputationWork } from "./computation.ts";
import { type MatchingRespondents, matchingRespondents } from "./matching-respondents.ts";

const host = callsTo<ComputationHost>(parentPort!);
const connection = { poolSize: 1, kept: 0, applicationName: "canvass-results", statementTimeoutMs: 30_000 };
type Compute = (respondents: AsyncIterable<MatchingRespondents[]>, input: never) => Promise<unknown>;
/** Kept with the thread, which has one work at a time. */
let opened: OpenPool | undefined;

function openDatabase(url: string): OpenPool {
  const database = openPool({ ...connection, url });
  // Ends the statement of a thread that was ended. Some systems do not support this and refuse it.
  const checkClient = "SET client_connection_check_interval = '1s'";
  database.pool.on("connect", (client) => void client.query(checkClient).catch(() => undefined));
  return database;
}

answerOwner(({ name, query, input, databaseUrl }: ComputationWork): Promise<unknown> => {
  opened ??= openDatabase(databaseUrl);
  const compute = computations[name] as Compute;
  return inTransaction(
    opened.pool,
    (sql) =>
      compute(
        matchingRespondents(sql, query, (versionId) => host.definition(versionId)),
        input as never,
      ),
    { isolation: "repeatable read" },
  );
});
