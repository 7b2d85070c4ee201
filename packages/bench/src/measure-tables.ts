import { Pool } from "pg";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { floodOfCrosstabs } from "./fair-share-floods.ts";
import { answerFor, measureFlood } from "./measure-fair-share.ts";
import { forgetPeak, peakMib } from "./process-tree.ts";
import { makeTabledSurvey } from "./tabled-survey.ts";
import { timed } from "./timed.ts";
import { serviceDatabaseUrl } from "./service-database-url.ts";

type Row = Measurement["name"];

/** Fewer than elsewhere: each takes seconds. */
const mostRounds = 3;

/**
 * Measures tables and results over the answers of many respondents beside handwritten SQL that counts the same, the
 * response process's peak memory, a crosstab right after a new answer, and page saves of another workspace beside
 * crosstabs.
 */
export async function measureTables(context: BenchContext): Promise<Measurement[]> {
  const { demo, size, say } = context;
  const response = new Pool({ connectionString: serviceDatabaseUrl(demo, "response"), max: 1 });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => response.end());
  await response.query("SET max_parallel_workers_per_gather = 0");
  say(`Filling a survey with ${size.tabled} respondents …`);
  const survey = await makeTabledSurvey(demo.api, response, size.tabled);
  const { surveyId, elements, answers } = survey;
  const path = `/response/surveys/${surveyId}`;
  const of = (name: string) => elements.get(name)!;
  const filters = { rating3: 2, rating4: 3, recommend: 4 };
  const where = {
    all: Object.entries(filters).map(([name, value]) => ({ name, operator: "at_least", value })),
  };
  const variables = { rows: { name: "gender" }, columns: { name: "region" } };
  const crosstab = { ...variables, where };
  const targets = [
    { category: "Woman", size: 50 },
    { category: "Man", size: 50 },
  ];
  const table = (body: object) => async () => (await demo.api.post(`${path}/crosstabs`, body)).data;
  const rest = `FROM answer_sets WHERE survey_id = $1`;
  const conditions = Object.entries(filters).map(([name, value]) => `AND (answers ->> '${of(name)}')::int >= ${value}`);
  const byHand = (text: string) => () => response.query(text, [surveyId]);
  const counted = `SELECT answers -> '${of("gender")}', answers -> '${of("region")}', count(*) ${rest}`;
  const pairs: [Row, () => Promise<unknown>, () => Promise<unknown>][] = [
    ["crosstab", table(crosstab), byHand(`${counted} ${conditions.join(" ")} GROUP BY 1, 2`)],
    [
      "weighted_crosstab",
      table({ ...variables, weights: [{ name: "gender", targets }] }),
      byHand(`${counted} GROUP BY 1, 2`),
    ],
    [
      "series",
      async () => (await demo.api.post(`${path}/series`, { name: "recommend", by: "day", measure: "nps" })).data,
      byHand(`SELECT r.started_at::date, answers -> '${of("recommend")}', count(*) FROM respondents r
        JOIN answer_sets s USING (workspace_id, respondent_id) WHERE r.survey_id = $1 GROUP BY 1, 2`),
    ],
    [
      "filtered_results",
      () => demo.api.get(`${path}/aggregation?where=${encodeURIComponent(JSON.stringify(where.all[0]))}`),
      byHand(`SELECT key, value, count(*) FROM answer_sets, jsonb_each(answers) WHERE survey_id = $1
        ${conditions[0]} GROUP BY 1, 2`),
    ],
    [
      "completed_results",
      () => demo.api.get(`${path}/aggregation?completed=true`),
      byHand(`SELECT key, value, count(*) FROM respondents r JOIN answer_sets s USING (workspace_id, respondent_id),
        jsonb_each(s.answers) WHERE r.survey_id = $1 AND r.completed_at IS NOT NULL GROUP BY 1, 2`),
    ],
  ];
  const { pid } = demo.system.local.processes.find(({ name }) => name === "response")!;
  forgetPeak(pid);
  const before = peakMib(pid);
  const measurements: Measurement[] = [];
  for (const [name, ours, bare] of pairs) {
    const times = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= Math.min(size.rounds, mostRounds); round += 1) {
      times.ours.push(await timed(ours));
      times.bare.push(await timed(bare));
    }
    const [cold, ...warm] = times.ours;
    const [bareCold, ...bareWarm] = times.bare;
    say(
      `${name}: ${cold!.toFixed(0)} ms first, then ${warm.map(Math.round).join(", ")}; by hand ${bareWarm.map(Math.round).join(", ")}`,
    );
    if (name === "crosstab") measurements.push(measured("crosstab_cold", [cold!], [bareCold!], "ms"));
    measurements.push(measured(name, warm, bareWarm, "ms"));
  }
  measurements.push(measured("tables_memory", [peakMib(pid)], [before], "MiB, after / before"));

  const plain = await timed(table(variables));
  const countOf = async () => (await table(variables)()).rows[1].total.respondents as number;
  const known = await countOf();
  const answered = await timed(async () => {
    const { respondentId } = (await demo.api.post(`${path}/respondents`, {})).data;
    await demo.api.post(path, { respondentId, responses: answers, metadata: { complete: false } });
    if ((await countOf()) !== known + 1) throw new Error("A new answer does not count");
  });
  measurements.push(measured("crosstab_new_answer", [answered], [plain], "ms, with an answer / without"));
  measurements.push(await measureFlood(context, "fair_crosstabs", answerFor, floodOfCrosstabs(surveyId, crosstab)));
  return measurements;
}
