import { answerOwner } from "@canvass/fairness/threads";
import { inTransaction, openPool, type OpenPool } from "@canvass/postgres";
import { parentPort } from "node:worker_threads";
import { callsTo } from "../exports/thread-calls.ts";
import { computations, type ComputationHost, type ComputationWork } from "./computation.ts";
import { type MatchingRespondent, matchingRespondents } from "./matching-respondents.ts";

const host = callsTo<ComputationHost>(parentPort!);
const connection = { poolSize: 1, kept: 0, applicationName: "canvass-results", statementTimeoutMs: 30_000 };
type Compute = (respondents: AsyncIterable<MatchingRespondent[]>, input: never) => Promise<unknown>;
/** Kept with the thread, which has one work at a time. */
let opened: OpenPool | undefined;

answerOwner(({ name, query, input, databaseUrl }: ComputationWork): Promise<unknown> => {
  opened ??= openPool({ ...connection, url: databaseUrl });
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
