import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { runLoad, type LoadRequest } from "./load.ts";
import { fieldValues, publishLogicSurvey, publishQuotaSurvey, type LogicSurvey } from "./logic-survey.ts";
import { startRespondents } from "./paged-survey.ts";
import { ownTicks, readTreeCosts } from "./process-tree.ts";

/** Each respondent makes thirty saves of ten answers. */
const savesShare = 1 / 10;
const wholeShare = 1 / 4;
/** Linux counts CPU time in hundredths of a second. */
const usPerTick = 10_000;

interface Cost {
  us: number;
  cpuUs: number;
}

/** CPU time of the system: without this process and its children that ended, such as the load generator. */
const systemTicks = () => readTreeCosts(process.pid).ticks - ownTicks(process.pid);

/** Measures saves in a survey with conditions, quotas and hidden fields beside the same questions without. */
export async function measureLogic({ demo, size, say }: BenchContext): Promise<Measurement[]> {
  const { api, system } = demo;
  await requireExactQuota(demo.api, say);
  const [logic, plain] = [await publishLogicSurvey(api, true), await publishLogicSurvey(api, false)];
  const { baseUrl, token } = system.local;
  const headers = { authorization: `Bearer ${token}` };

  async function costOf(survey: LogicSurvey, count: number, requestsOf: typeof savesOf): Promise<Cost> {
    const start = survey === logic ? { fields: fieldValues() } : {};
    const respondents = await startRespondents(api, survey.surveyId, Math.ceil(count), start);
    const requests = requestsOf(survey, respondents);
    // Fewer than respondents, so that no save of a respondent overtakes the one before.
    const connections = Math.min(256, Math.floor(respondents.length / 2));
    const before = systemTicks();
    const { perSecond } = await runLoad({ url: baseUrl, headers, requests, connections });
    const cpuUs = ((systemTicks() - before) * usPerTick) / requests.length;
    return { us: 1_000_000 / perSecond, cpuUs };
  }

  const measurements: Measurement[] = [];
  for (const [name, requestsOf, share] of [
    ["logic_save", savesOf, savesShare],
    ["logic_whole", wholesOf, wholeShare],
  ] as const) {
    const costs = { logic: [] as Cost[], plain: [] as Cost[] };
    // The first round only warms up.
    for (let round = 0; round <= size.rounds; round += 1) {
      const ours = await costOf(logic, size.respondents * share, requestsOf);
      const theirs = await costOf(plain, size.respondents * share, requestsOf);
      if (round === 0) continue;
      costs.logic.push(ours);
      costs.plain.push(theirs);
      const [withLogic, without] = [ours, theirs].map(
        ({ us, cpuUs }) => `${Math.round(us)} µs (${Math.round(cpuUs)} of CPU)`,
      );
      say(`${name} ${round}: ${withLogic} with logic, ${without} without`);
    }
    for (const [row, pick] of [
      [name, ({ us }: Cost) => us],
      [`${name}_cpu`, ({ cpuUs }: Cost) => cpuUs],
    ] as const) {
      measurements.push(measured(row, costs.logic.map(pick), costs.plain.map(pick), "µs a request"));
    }
  }
  return measurements;
}

/** Page 1 of every respondent, then page 2, so that consecutive saves belong to different respondents. */
function savesOf({ surveyId, pages }: LogicSurvey, respondents: readonly string[]): LoadRequest[] {
  return pages.flatMap(({ pageId, elementIds }) =>
    respondents.map((respondentId) => requestOf(surveyId, { respondentId, pageId, responses: answersTo(elementIds) })),
  );
}

function wholesOf({ surveyId, pages }: LogicSurvey, respondents: readonly string[]): LoadRequest[] {
  const responses = answersTo(pages.flatMap(({ elementIds }) => elementIds));
  return respondents.map((respondentId) => requestOf(surveyId, { respondentId, responses }));
}

const requestOf = (surveyId: string, body: object): LoadRequest => ({
  method: "POST",
  path: `/response/surveys/${surveyId}`,
  body: JSON.stringify(body),
});

const answersTo = (elementIds: readonly string[]) =>
  elementIds.map((elementId, index) => ({ elementId, value: 1 + (index % 6) }));

const limit = 40;
const completing = 100;

/** Completes 100 respondents at once. Throws unless exactly as many succeed as the quota takes. */
async function requireExactQuota(api: BenchContext["demo"]["api"], say: BenchContext["say"]): Promise<void> {
  const { surveyId, elementId } = await publishQuotaSurvey(api, limit);
  const respondents = await startRespondents(api, surveyId, completing);
  const statuses = await Promise.all(
    respondents.map(async (respondentId) => {
      const body = { respondentId, responses: [{ elementId, value: 3 }] };
      return (await api.call("POST", `/response/surveys/${surveyId}`, { body })).status;
    }),
  );
  const completed = statuses.filter((status) => status < 300).length;
  const { count } = (await api.get(`/surveys/${surveyId}/quotas`)).data.quotas[0];
  say(`quota of ${limit}: ${completed} of ${completing} at once completed, ${count} counted`);
  if (completed !== limit || count !== limit) throw new Error("A quota is not exact");
}
