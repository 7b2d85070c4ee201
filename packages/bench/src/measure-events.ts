import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import { Pool } from "pg";
import { Agent, request } from "undici";
import { fillRespondents } from "./bare/tables.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { pageSave, publishPagedSurvey, startRespondents, type PagedSurvey } from "./paged-survey.ts";
import { readTreeCosts } from "./process-tree.ts";
import { serviceDatabaseUrl } from "./service-database-url.ts";

const concurrency = 64;
/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

interface Cost {
  walBytes: number;
  cpuMs: number;
}

/**
 * Measures the cost of a completion and its webhook, from the last page to the recorded attempt, with many at once.
 * Counts the WAL of all databases and the CPU time of all processes except the receiver and, for our system, the
 * client.
 */
export async function measureEvents(context: BenchContext): Promise<Measurement[]> {
  const { demo, size, say } = context;
  const admin = new Pool({ connectionString: demo.system.local.databaseUrl, max: 1 });
  const ours: Cost[] = [];
  const bare: Cost[] = [];
  try {
    for (let round = 0; round < size.rounds; round += 1) {
      const survey = await publishPagedSurvey(demo.api);
      const respondents = await startRespondents(demo.api, survey.surveyId, size.deliveries);
      await fillRespondents(context.bare.pool, survey.surveyId, respondents);
      ours.push(await costOf(context, admin, { withClient: false }, () => complete(context, survey, respondents)));
      bare.push(await costOf(context, admin, { withClient: true }, () => completeBare(context, survey, respondents)));
      const told = [ours, bare]
        .map((costs) => costs[round]!)
        .map(({ walBytes, cpuMs }) => `${Math.round(walBytes)} B, ${cpuMs.toFixed(2)} ms`);
      say(`an event ${round + 1}: ${told[0]} ours; ${told[1]} bare`);
    }
  } finally {
    await admin.end();
  }
  const both = (pick: (cost: Cost) => number) => [ours.map(pick), bare.map(pick)] as const;
  return [
    measured("event_wal", ...both(({ walBytes }) => walBytes), "bytes"),
    measured("event_cpu", ...both(({ cpuMs }) => cpuMs), "ms"),
  ];
}

async function costOf(
  { receiver, size, demo }: BenchContext,
  admin: Pool,
  { withClient }: { withClient: boolean },
  work: () => Promise<void>,
): Promise<Cost> {
  const walAt = async () => Number((await admin.query("SELECT pg_current_wal_insert_lsn() - '0/0' AS at")).rows[0].at);
  const ticks = () => readTreeCosts(process.pid).ticks - readTreeCosts(receiver.pid).ticks;
  const [wal, before, own] = [await walAt(), ticks(), process.cpuUsage()];
  await work();
  await receiver.take(size.deliveries);
  await untilConfirmed(serviceDatabaseUrl(demo, "response"));
  const used = process.cpuUsage(own);
  const client = withClient ? 0 : (used.user + used.system) / 1000;
  const cpuMs = (ticks() - before) * MS_PER_TICK - client;
  return { walBytes: ((await walAt()) - wal) / size.deliveries, cpuMs: cpuMs / size.deliveries };
}

/** Waits until the response service's outbox is empty. */
async function untilConfirmed(databaseUrl: string): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const left = async () => (await pool.query("SELECT 1 FROM outbox_events LIMIT 1")).rowCount !== 0;
  try {
    while (await left()) await delay(100);
  } finally {
    await pool.end();
  }
}

async function complete({ demo: { api } }: BenchContext, survey: PagedSurvey, respondents: string[]): Promise<void> {
  await pLimit(concurrency).map(respondents, async (respondentId) => {
    await api.post(`/response/surveys/${survey.surveyId}`, pageSave(survey, respondentId, survey.pages.length - 1));
  });
}

/** Does the bare submit, then posts to the receiver and stores nothing. */
async function completeBare({ bare, receiver }: BenchContext, survey: PagedSurvey, respondents: string[]) {
  await using cleanUp = new AsyncDisposableStack();
  const agent = new Agent({ connections: concurrency, connect: { ca: receiver.ca } });
  cleanUp.defer(() => agent.close());
  const headers = { "content-type": "application/json", "webhook-id": "bare" };
  await pLimit(concurrency).map(respondents, async (respondentId) => {
    const body = JSON.stringify({ ...pageSave(survey, respondentId, survey.pages.length - 1), isLast: true });
    const answer = await request(`${bare.url}/surveys/${survey.surveyId}/answers`, { method: "POST", headers, body });
    await answer.body.dump();
    const sent = await request(receiver.url, { dispatcher: agent, method: "POST", headers, body });
    await sent.body.dump();
  });
}
