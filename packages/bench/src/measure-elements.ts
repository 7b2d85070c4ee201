import pLimit from "p-limit";
import { fillElements } from "./bare/tables.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { runLoad, type LoadRequest } from "./load.ts";
import { publishPagedSurvey } from "./paged-survey.ts";

const surveys = 100;
const connections = 64;

/** Measures listing a survey's 27 questions at the default limit, over 100 surveys. */
export async function measureElements({ demo, bare, size, say }: BenchContext): Promise<Measurement> {
  const ids: string[] = [];
  await pLimit(8).map(Array.from({ length: surveys }), async () => {
    const { surveyId } = await publishPagedSurvey(demo.api);
    await fillElements(bare.pool, (await demo.api.get(`/surveys/${surveyId}/elements`)).data);
    ids.push(surveyId);
  });
  const requests: LoadRequest[] = Array.from({ length: size.lists }, (_, index) => ({
    method: "GET",
    path: `/surveys/${ids[(index * 7919) % surveys]!}/elements`,
  }));
  const { baseUrl, token } = demo.system.local;
  const oursLoad = { url: baseUrl, headers: { authorization: `Bearer ${token}` }, requests, connections };
  const bareLoad = { url: bare.url, headers: {}, requests, connections };
  await runLoad({ ...oursLoad, requests: requests.slice(0, 3000) });
  await runLoad({ ...bareLoad, requests: requests.slice(0, 3000) });

  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    ours.push((await runLoad(oursLoad)).perSecond);
    plain.push((await runLoad(bareLoad)).perSecond);
    say(`elements ${round + 1}: ${Math.round(ours[round]!)} ours, ${Math.round(plain[round]!)} bare requests/s`);
  }
  return measured("elements", ours, plain, "requests/s");
}
