import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { pageSave, publishPagedSurvey } from "./paged-survey.ts";
import { runWalk } from "./walk.ts";

const connections = 256;

/** Measures respondents who start at once: a start and nine page saves each, through a link, compared with the API. */
export async function measureWalk({ demo, size, say }: BenchContext): Promise<Measurement[]> {
  const survey = await publishPagedSurvey(demo.api);
  const { surveyId } = survey;
  const { data: link } = await demo.api.post(`/distribution/surveys/${surveyId}`, { name: "Walk" });
  await demo.api.post(`/distribution/${link.id}/activate`);
  const { baseUrl, token } = demo.system.local;
  const saves = survey.pages.map((_, page) => {
    const { respondentId: _id, ...save } = pageSave(survey, "0".repeat(16), page);
    return save;
  });
  const walk = { saves, connections, respondents: size.walkers };
  const byLink = {
    ...walk,
    url: new URL(baseUrl).origin,
    headers: {},
    start: `/public/v1/links/${link.code}/respondents`,
    isLink: true,
  };
  const byApi = {
    ...walk,
    url: baseUrl,
    headers: { authorization: `Bearer ${token}` },
    start: `/response/surveys/${surveyId}/respondents`,
    isLink: false,
  };
  const warm = { respondents: 200 };
  await runWalk({ ...byLink, ...warm });
  await runWalk({ ...byApi, ...warm });
  const [page, api] = [await runWalk(byLink), await runWalk(byApi)];
  say(`walk: ${Math.round(page.perSecond)} by the link, ${Math.round(api.perSecond)} by the API requests/s`);
  return [
    measured("page_walk", [page.perSecond], [api.perSecond], "requests/s"),
    measured("page_walk_p99", [page.p99], [api.p99], "ms"),
  ];
}
