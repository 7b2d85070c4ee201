import { waitFor } from "@canvass/testing";
import { request } from "undici";
import { makeAnsweredSurvey } from "./answered-survey.ts";
import { fillAnswers } from "./bare/tables.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { forgetPeak, peakMib } from "./process-tree.ts";

/** Answers of the small survey whose results are compared. */
const few = 1_000;
/** Answers after the one whose cursor is taken, so that full pages follow it. */
const beyond = 1_000;

/**
 * Measures reading a survey of a million answers beside the bare program, which reads as many plain rows: stream,
 * export, a page at the end, results, and peak memory. Also compares that page with the first page, and the results
 * with those of a thousand answers.
 */
export async function measureAnswers(context: BenchContext): Promise<Measurement[]> {
  const { demo, bare, size, say } = context;
  say(`Filling a survey with ${size.answers} answers …`);
  const large = await makeAnsweredSurvey(demo.api, demo.system.local, size.answers + beyond);
  const small = await makeAnsweredSurvey(demo.api, demo.system.local, few);
  await fillAnswers(bare.pool, large);
  const pids = { ...pidsOf(demo), bare: bare.pid };
  Object.values(pids).forEach(forgetPeak);

  const path = `/response/surveys/${large.surveyId}`;
  const { baseUrl, token } = demo.system.local;
  const headers = { authorization: `Bearer ${token}`, accept: "application/x-ndjson" };
  const ours = () => readRows(`${baseUrl}${path}`, headers, size.answers);
  const plain = () => readRows(`${bare.url}/surveys/${large.surveyId}/answers`, {});
  const streams = { ours: [] as number[], exports: [] as number[], bare: [] as number[] };
  let [first, last] = ["", ""];
  for (let round = 0; round < size.streams; round += 1) {
    const read = await ours();
    [first, last] = [cursorOf(read.first), cursorOf(read.marked)];
    streams.ours.push(read.perSecond);
    streams.bare.push((await plain()).perSecond);
    streams.exports.push(await exportAnswers(context, large.surveyId, large.answers));
    const figures = [streams.ours, streams.exports, streams.bare].map((each) => Math.round(each[round]!));
    say(`answers ${round + 1}: ${figures[0]} streamed, ${figures[1]} exported, ${figures[2]} bare rows/s`);
  }
  const peaks = { gateway: peakMib(pids.gateway), response: peakMib(pids.response), bare: peakMib(pids.bare) };
  const page = (cursor: string) => () => demo.api.get(`${path}?limit=100&cursor=${cursor}`);
  const results = (surveyId: string) => () => demo.api.get(`/response/surveys/${surveyId}/aggregation`);
  const pages = await alternate(size.pages, page(last), page(first));
  const aggregations = await alternate(size.pages, results(large.surveyId), results(small.surveyId));
  const plainPath = `${bare.url}/surveys/${large.surveyId}`;
  const lists = await alternate(size.pages, page(last), () => readWhole(`${plainPath}/page?skipped=${size.answers}`));
  const sums = await alternate(5, results(large.surveyId), () => readWhole(`${plainPath}/results`));
  return [
    measured("answer_stream", streams.ours, streams.bare, "rows/s"),
    measured("answer_export", streams.exports, streams.bare, "answers/s"),
    measured("answer_list", lists[0], lists[1], "ms"),
    measured("answer_results", sums[0], sums[1], "ms"),
    measured("answer_memory_gateway", [peaks.gateway], [peaks.bare], "MiB"),
    measured("answer_memory_response", [peaks.response], [peaks.bare], "MiB"),
    measured("answer_page", pages[0], pages[1], "ms, at the end / the start"),
    measured("aggregation", aggregations[0], aggregations[1], "ms, many / 1,000 answers"),
  ];
}

function pidsOf({ system }: BenchContext["demo"]): Record<"gateway" | "response", number> {
  const pid = (name: string) => system.local.processes.find((each) => each.name === name)!.pid;
  return { gateway: pid("gateway"), response: pid("response") };
}

async function readWhole(url: string): Promise<void> {
  const { statusCode, body } = await request(url);
  await body.dump();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
}

const cursorOf = (line: string): string => (JSON.parse(line) as { cursor: string }).cursor;

/** Reads a stream of lines to its end. `mark` is the number of a line to return. */
async function readRows(url: string, headers: Record<string, string>, mark = 1) {
  const started = performance.now();
  const { statusCode, body } = await request(url, { headers });
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  let [rows, rest] = [0, ""];
  let [first, marked] = ["", ""];
  for await (const chunk of body) {
    const lines = (rest + (chunk as Buffer).toString()).split("\n");
    rest = lines.pop()!;
    if (rows === 0) first = lines[0] ?? "";
    if (rows < mark && rows + lines.length >= mark) marked = lines[mark - rows - 1]!;
    rows += lines.length;
  }
  return { perSecond: rate(rows, started), first, marked };
}

/** Answers per second, from the request to the last byte of the file. */
async function exportAnswers({ demo: { api } }: BenchContext, surveyId: string, answers: number): Promise<number> {
  const started = performance.now();
  const { id } = (await api.post(`/exports/surveys/${surveyId}`, { format: "csv" })).data;
  const isDone = async () => (await api.get(`/exports/${id}`)).data.status === "completed";
  await waitFor(isDone, { describe: "the export", timeoutMs: 300_000 });
  const { body } = await request((await api.get(`/exports/${id}/download`)).data.url);
  let length = 0;
  for await (const chunk of body) length += (chunk as Buffer).length;
  if (length < answers) throw new Error(`The export has ${length} bytes`);
  return rate(answers, started);
}

const rate = (count: number, started: number): number => (count / (performance.now() - started)) * 1000;

/** Milliseconds of two alternating calls. The first five rounds warm up. */
async function alternate(times: number, one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const found: [number[], number[]] = [[], []];
  for (let round = -5; round < times; round += 1) {
    for (const [at, call] of [one, other].entries()) {
      const started = performance.now();
      await call();
      if (round >= 0) found[at]!.push(performance.now() - started);
    }
  }
  return found;
}
