import { fillRespondents } from "./bare/tables.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { runLoad, type LoadRequest } from "./load.ts";
import { everySave, ourSaves, publishPagedSurvey, startRespondents, type PagedSurvey } from "./paged-survey.ts";

const connections = 256;

/**
 * Measures page saves of three answers. The ninth save of each respondent completes the response and writes its event.
 */
export async function measureSubmit({ demo, bare, size, say }: BenchContext): Promise<Measurement> {
  const survey = await publishPagedSurvey(demo.api);
  const { baseUrl, token } = demo.system.local;
  const headers = { authorization: `Bearer ${token}` };
  const ours: number[] = [];
  const plain: number[] = [];
  // The first round only warms up.
  for (let round = 0; round <= size.rounds; round += 1) {
    const respondents = await startRespondents(demo.api, survey.surveyId, size.respondents);
    await fillRespondents(bare.pool, survey.surveyId, respondents);
    const our = await runLoad({ url: baseUrl, headers, requests: ourSaves(survey, respondents), connections });
    const their = await runLoad({ url: bare.url, headers: {}, requests: bareSaves(survey, respondents), connections });
    if (round === 0) continue;
    ours.push(our.perSecond);
    plain.push(their.perSecond);
    say(`submit ${round}: ${Math.round(our.perSecond)} ours, ${Math.round(their.perSecond)} bare requests/s`);
  }
  return measured("submit", ours, plain, "requests/s");
}

/** The same saves for the bare program. */
export function bareSaves(survey: PagedSurvey, respondents: readonly string[]): LoadRequest[] {
  return everySave(survey, respondents).map(({ page, body }) => ({
    method: "POST",
    path: `/surveys/${survey.surveyId}/answers`,
    body: JSON.stringify({ ...body, isLast: page === survey.pages.length - 1 }),
  }));
}
