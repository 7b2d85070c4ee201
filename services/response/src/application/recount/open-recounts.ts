import { AppError } from "@canvass/errors";
import { openPool, sqlFromPg, type Sql } from "@canvass/postgres";
import type { SurveyRef } from "../../domain/survey-ref.ts";

/** A longer snapshot would keep VACUUM from removing dead rows. */
const lifetimeMs = 15 * 60_000;

export interface Recounts extends AsyncDisposable {
  /** Runs `work` on its own session. Throws `service_unavailable` if this process or survey has a running recount. */
  alone<Chunk>(survey: SurveyRef, work: (sql: Sql) => AsyncGenerator<Chunk>): AsyncGenerator<Chunk>;
}

export function openRecounts({ DATABASE_URL: url }: { DATABASE_URL: string }): Recounts {
  const recounts = openPool({
    url,
    poolSize: 1,
    kept: 0,
    applicationName: "canvass-response",
    statementTimeoutMs: lifetimeMs,
    idleInTransactionMs: 60_000,
  });
  let isBusy = false;
  return {
    async *alone({ workspaceId, surveyId }, work) {
      if (isBusy) throw new AppError("service_unavailable");
      isBusy = true;
      using busy = new DisposableStack();
      busy.defer(() => (isBusy = false));
      const client = await recounts.pool.connect();
      // Emitted if the connection is lost between statements. Without a listener it would end the process.
      client.on("error", () => undefined);
      await using closing = new AsyncDisposableStack();
      // Closing the session drops its temporary tables. Unlock first: the server ends a session later than its client.
      closing.defer(() => client.release(true));
      closing.defer(async () => {
        await client.query("ROLLBACK; SELECT pg_advisory_unlock_all()").catch(() => undefined);
      });
      const sql = sqlFromPg(client);
      const [lock] = await sql.query<{ held: boolean }>(
        "SELECT pg_try_advisory_lock(hashtextextended($1, 1)) AS held",
        [`recount ${workspaceId} ${surveyId}`],
      );
      if (!lock!.held) throw new AppError("service_unavailable");
      yield* work(sql);
    },
    [Symbol.asyncDispose]: () => recounts[Symbol.asyncDispose](),
  };
}
