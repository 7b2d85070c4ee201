import pLimit from "p-limit";
import { fillSurveys } from "./bare/tables.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { runLoad, type LoadRequest } from "./load.ts";

const surveys = 500;
const connections = 64;

/** Measures GET of a survey by id, over 500 surveys. */
export async function measureRead({ demo, bare, size, say }: BenchContext): Promise<Measurement> {
  const created: { id: string }[] = [];
  await pLimit(16).map(Array.from({ length: surveys }), async (_, index) => {
    created.push((await demo.api.post("/surveys", { name: `Survey ${index}`, description: "For reading" })).data);
  });
  await fillSurveys(bare.pool, created);
  const requests: LoadRequest[] = Array.from({ length: size.reads }, (_, index) => ({
    method: "GET",
    path: `/surveys/${created[(index * 7919) % surveys]!.id}`,
  }));
  const { baseUrl, token } = demo.system.local;
  const oursLoad = { url: baseUrl, headers: { authorization: `Bearer ${token}` }, requests, connections };
  const bareLoad = { url: bare.url, headers: {}, requests, connections };
  await runLoad({ ...oursLoad, requests: requests.slice(0, 5000) });
  await runLoad({ ...bareLoad, requests: requests.slice(0, 5000) });

  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    ours.push((await runLoad(oursLoad)).perSecond);
    plain.push((await runLoad(bareLoad)).perSecond);
    say(`read ${round + 1}: ${Math.round(ours[round]!)} ours, ${Math.round(plain[round]!)} bare requests/s`);
  }
  return measured("read", ours, plain, "requests/s");
}
