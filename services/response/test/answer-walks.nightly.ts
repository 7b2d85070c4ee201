import { ResponseService, type Answer } from "@canvass/proto/response";
import { callOptions, createRpcClient, type RpcClient } from "@canvass/rpc";
import { testKeys } from "@canvass/service/testing";
import { sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { beginWrite } from "../src/storage/advisory-locks.ts";
import { numberQuestion, ownLocks, ratingQuestion, startHarness, surveyId, testId, workspaceId } from "./harness.ts";

type Client = RpcClient<typeof ResponseService>;

const parts = new AsyncDisposableStack();
let harness: Awaited<ReturnType<typeof startHarness>>;
/** Two processes on one database and its clock: this one and another. */
let here: Client;
let there: Client;
let child: ChildProcess;

beforeAll(async () => {
  harness = parts.use(await startHarness([[ratingQuestion("a"), numberQuestion("n")], [ratingQuestion("c")]]));
  const anyClock = { now: undefined } as object;
  const { url } = parts.use(await harness.startAnother(anyClock));
  const env = { ...process.env, ...harness.environment, CANVASS_LOG_LEVEL: "fatal" };
  child = fork(new URL("fixture/own-process.ts", import.meta.url), { env, execArgv: [] });
  parts.defer(() => void child.kill("SIGKILL"));
  const [childUrl] = (await once(child, "message")) as [string];
  const clientOf = (address: string) =>
    parts.use(createRpcClient(ResponseService, { url: address, peerKey: testKeys.peerKey }));
  [here, there] = [clientOf(url), clientOf(childUrl)];
});
afterAll(() => parts.disposeAsync());

const caller = () => callOptions({ signedCaller: harness.signed() });

/** Starts respondents and saves two pages of each, until told to end; calls back after each save. */
async function write(client: Client, state: { ends: boolean }, saved: () => void): Promise<void> {
  while (!state.ends) {
    const { respondent } = await client.startRespondent({ surveyId }, caller());
    const { respondentId } = respondent!;
    for (const names of [["a", "n"], ["c"]]) {
      const responses = names.map((name) => ({ elementId: testId(name), value: 3 }));
      const bodyJson = JSON.stringify({ respondentId, responses, metadata: { complete: false } });
      const { results } = await client.batchSubmitAnswers({
        submissions: [{ caller: harness.signed(), surveyId, bodyJson }],
      });
      expect(results[0]!.outcome.case).toBe("submitted");
      saved();
    }
  }
}

/** Follows the cursors of both lists until writing has ended and nothing is left; keeps what it met. */
function startReader(limit: number, state: { isWritten: boolean }) {
  const met = { answers: [] as Answer[], respondents: [] as string[] };
  async function follow(page: (cursor: string) => Promise<{ nextCursor: string; hasMore: boolean }>): Promise<void> {
    for (let cursor = ""; ;) {
      const { isWritten } = state;
      const { nextCursor, hasMore } = await page(cursor);
      if (isWritten && !hasMore) return;
      cursor = nextCursor;
    }
  }
  const done = Promise.all([
    follow(async (cursor) => {
      const page = await here.listAnswers({ filter: { surveyId }, limit, cursor }, caller());
      met.answers.push(...page.answers);
      return page;
    }),
    follow(async (cursor) => {
      const page = await here.listRespondents({ surveyId, limit, cursor }, caller());
      met.respondents.push(...page.respondents.map(({ respondentId }) => respondentId));
      return page;
    }),
  ]);
  return { met, done };
}

/** The held locks of the horizon: the time of each by its key. */
async function heldTimestamps(): Promise<Map<string, number>> {
  const rows = await harness.sql<{ key: string }>(
    `SELECT ((classid::int8 << 32) | objid::int8)::text AS key FROM ${ownLocks}
     WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ShareLock'`,
  );
  return new Map(rows.map(({ key }) => [key, Number(BigInt.asUintN(42, BigInt(key)))]));
}

test("readers by cursor miss nothing and meet nothing twice while sixteen write, one hangs and a process is frozen", async () => {
  const state = { ends: false, isWritten: false };
  let saves = 0;
  const writers = Array.from({ length: 16 }, (_, index) => write(index % 2 ? here : there, state, () => (saves += 1)));
  const readers = [3, 20, 100].map((limit) => startReader(limit, state));
  const more = (count: number) => {
    const wanted = saves + count;
    return waitFor(() => saves >= wanted, { timeoutMs: 30_000, describe: `${count} more saves` });
  };
  /** Whether others save while the process is frozen: it may hold what they need. */
  const goesOn = async () => {
    const wanted = saves + 20;
    let [seen, isStuck] = [-1, false];
    const isDecided = async () => {
      const waiting = await harness.sql(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      isStuck = waiting.length > 0 && seen === saves;
      seen = saves;
      return isStuck || saves >= wanted;
    };
    await waitFor(isDecided, { timeoutMs: 30_000, describe: "others that save, or wait" });
    return !isStuck;
  };
  const lastMet = () => Math.max(...readers.flatMap(({ met }) => met.answers.slice(-1)).map(timeOf));
  await more(100);

  // A writer that commits long after others with later times.
  const { respondent } = await here.startRespondent({ surveyId }, caller());
  const client = await harness.pool.connect();
  await client.query("BEGIN");
  const heldAt = await beginWrite(sqlFromPg(client), [{ workspaceId, surveyId }], undefined);
  await more(100);
  await client.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     VALUES ($1, $2, $3, 0, $4, jsonb_build_object($5::text, 1))`,
    [workspaceId, surveyId, respondent!.respondentId, heldAt, testId("a")],
  );
  expect(lastMet()).toBeLessThan(heldAt.getTime());
  await client.query("COMMIT");
  client.release();
  await waitFor(() => lastMet() > heldAt.getTime(), { describe: "readers that go on" });

  // Freezes a process in the middle of a transaction. Its locks stay, those of others change.
  let frozen: number[] = [];
  while (frozen.length === 0) {
    await more(3);
    child.kill("SIGSTOP");
    const before = await heldTimestamps();
    if (await goesOn()) {
      const after = await heldTimestamps();
      frozen = [...before].filter(([key]) => after.has(key)).map(([, time]) => time);
    }
    if (frozen.length === 0) child.kill("SIGCONT");
  }
  expect(lastMet()).toBeLessThan(Math.min(...frozen));
  child.kill("SIGCONT");
  await more(100);
  state.ends = true;
  await Promise.all(writers);
  state.isWritten = true;
  await Promise.all(readers.map(({ done }) => done));

  const [stored] = await harness.sql<{ answers: number; respondents: string[] }>(
    `SELECT (SELECT count(*)::int FROM answer_sets, jsonb_object_keys(answers)) AS answers,
       (SELECT array_agg(respondent_id ORDER BY respondent_id) FROM respondents) AS respondents`,
  );
  for (const { met } of readers) {
    expect(met.respondents).toEqual(stored!.respondents);
    expect([met.answers.length, new Set(met.answers.map(({ answerId }) => answerId)).size]).toEqual([
      stored!.answers,
      stored!.answers,
    ]);
    expect(met.answers.map(placeOf)).toEqual(met.answers.map(placeOf).sort());
  }
  expect(readers[0]!.met.answers.map(placeOf)).toEqual(readers[2]!.met.answers.map(placeOf));
});

const timeOf = ({ submittedAt }: Answer) => timestampMs(submittedAt!);
const placeOf = (answer: Answer) => `${timeOf(answer)} ${answer.answerId}`;
