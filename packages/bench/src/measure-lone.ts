import { fillRespondents, fillSurveys } from "./bare/tables.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import type { LoadRequest, LoadResult } from "./load.ts";
import { startFloor, type Floor } from "./floor/start-floor.ts";
import { hasWrk, runLone } from "./lone-load.ts";
import { bareSaves } from "./measure-submit.ts";
import { ourSaves, publishPagedSurvey, startRespondents } from "./paged-survey.ts";

/**
 * Assumed upper limit of saves per second. Each needs a page that its respondent has not saved yet.
 */
const mostSaves = 3_000;
const pages = 9;

interface Rounds {
  ours: LoadResult[];
  bare: LoadResult[];
  /** Only for reads. */
  floor: LoadResult[];
}

/**
 * Measures one caller on one connection: reads of a survey, and page saves of three answers. Returns the rate and the
 * 99th percentile.
 */
export async function measureLone(context: BenchContext): Promise<Measurement[]> {
  const wrk = await hasWrk();
  context.say(wrk ? "One caller, by wrk …" : "One caller, by a process of Node, since wrk is not there …");
  const reads = await measureReads(context, wrk);
  return [
    ...rows("lone_read", reads),
    measured("lone_read_floor", rates(reads.ours), rates(reads.floor), "requests/s, beside the floor"),
    ...rows("lone_save", await measureSaves(context, wrk)),
  ];
}

async function measureReads(context: BenchContext, wrk: boolean): Promise<Rounds> {
  const { demo, bare, size } = context;
  const { data: survey } = await demo.api.post("/surveys", { name: "Alone", description: "For reading" });
  await fillSurveys(bare.pool, [survey]);
  const read: LoadRequest = { method: "GET", path: `/surveys/${survey.id}` };
  const reads = Array.from({ length: wrk ? 1 : size.reads / 10 }, () => read);
  await using floor = await startFloor(bare.databaseUrl);
  // Awaited, so that the floor runs until the measurement ends.
  return await alternate(context, wrk, "lone reads", async () => ({ ours: reads, bare: reads }), floor);
}

async function measureSaves(context: BenchContext, wrk: boolean): Promise<Rounds> {
  const { demo, bare, size } = context;
  const survey = await publishPagedSurvey(demo.api);
  const people = wrk ? Math.ceil((size.loneSeconds * mostSaves) / pages) : size.respondents / 4;
  return alternate(context, wrk, "lone saves", async () => {
    const respondents = await startRespondents(demo.api, survey.surveyId, people);
    await fillRespondents(bare.pool, survey.surveyId, respondents);
    return { ours: ourSaves(survey, respondents), bare: bareSaves(survey, respondents) };
  });
}

/** The first round only warms up. */
async function alternate(
  { demo, bare, size, say }: BenchContext,
  wrk: boolean,
  what: string,
  prepare: () => Promise<{ ours: LoadRequest[]; bare: LoadRequest[] }>,
  floor?: Floor,
): Promise<Rounds> {
  const { baseUrl, token } = demo.system.local;
  const rounds: Rounds = { ours: [], bare: [], floor: [] };
  for (let round = 0; round <= size.rounds; round += 1) {
    const requests = await prepare();
    const headers = { Authorization: `Bearer ${token}` };
    const our = await runLone({ url: baseUrl, headers, requests: requests.ours }, size.loneSeconds, wrk);
    const their = await runLone({ url: bare.url, headers: {}, requests: requests.bare }, size.loneSeconds, wrk);
    const least = floor && (await runLone({ url: floor.url, headers, requests: requests.bare }, size.loneSeconds, wrk));
    if (round === 0) continue;
    if (least) rounds.floor.push(least);
    rounds.ours.push(our);
    rounds.bare.push(their);
    const textOf = ({ perSecond, p99 }: LoadResult) => `${Math.round(perSecond)}/s (p99 ${p99.toFixed(2)} ms)`;
    say(`${what} ${round}: ${textOf(our)} ours, ${textOf(their)} bare${least ? `, ${textOf(least)} floor` : ""}`);
  }
  return rounds;
}

function rows(name: "lone_read" | "lone_save", { ours, bare }: Rounds): Measurement[] {
  const pick = (figure: keyof LoadResult) => [ours, bare].map((all) => all.map((each) => each[figure])) as Pair;
  return [measured(name, ...pick("perSecond"), "requests/s"), measured(`${name}_p99`, ...pick("p99"), "ms")];
}

type Pair = [number[], number[]];

const rates = (results: readonly LoadResult[]): number[] => results.map(({ perSecond }) => perSecond);
