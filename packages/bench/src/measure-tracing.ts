import { startDemoSystem, type DemoSystem } from "@canvass/e2e";
import { measured, type BenchSize, type Measurement } from "./bench-context.ts";
import { startCollector } from "./collector.ts";
import { runLoad } from "./load.ts";
import { ourSaves, publishPagedSurvey, startRespondents, type PagedSurvey } from "./paged-survey.ts";

/** A system, with the rates of its rounds. */
interface Traced {
  demo: DemoSystem;
  survey: PagedSurvey;
  reads: number[];
  saves: number[];
}

/** Of the requests that are traced: none, with tracing off, the default, all. */
const shares = [null, "0.01", "1"] as const;

/**
 * The same load on systems without tracing, with the usual share and with everything traced, in turns that begin with another
 * one in each round. The others rest meanwhile.
 */
export async function measureTracing(
  size: Pick<BenchSize, "rounds" | "reads" | "respondents">,
  say: (line: string) => void,
): Promise<Measurement[]> {
  await using started = new AsyncDisposableStack();
  const collector = started.use(await startCollector());
  const systems: Traced[] = [];
  for (const share of shares) {
    const env = share === null ? {} : tracingTo(collector.url, share);
    const demo = started.use(await startDemoSystem({ env: { NODE_ENV: "production", ...env } }));
    systems.push({ demo, survey: await publishPagedSurvey(demo.api), reads: [], saves: [] });
  }
  // The first round only warms up.
  for (let round = 0; round <= size.rounds; round += 1) {
    const first = round % systems.length;
    for (const system of [...systems.slice(first), ...systems.slice(0, first)]) {
      await measureRound(system, size);
      if (round > 0) continue;
      system.reads = [];
      system.saves = [];
    }
    const rates = systems.map(({ reads, saves }) => `${figure(reads.at(-1))} and ${figure(saves.at(-1))}`);
    if (round > 0) say(`tracing ${round}: reads and saves off ${rates[0]}, a hundredth ${rates[1]}, all ${rates[2]}`);
  }
  const [off, some, all] = systems as [Traced, Traced, Traced];
  return [
    measured("tracing_read", some.reads, off.reads, "requests/s"),
    measured("tracing_submit", some.saves, off.saves, "requests/s"),
    measured("tracing_all_read", all.reads, off.reads, "requests/s"),
    measured("tracing_all_submit", all.saves, off.saves, "requests/s"),
  ];
}

const figure = (rate = 0): string => String(Math.round(rate));

const tracingTo = (url: string, share: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER_ARG: share,
});

async function measureRound(system: Traced, size: Pick<BenchSize, "reads" | "respondents">): Promise<void> {
  const { demo, survey } = system;
  const { baseUrl: url, token } = demo.system.local;
  const headers = { authorization: `Bearer ${token}` };
  const read = { method: "GET", path: `/surveys/${survey.surveyId}` } as const;
  const reads = await runLoad({
    url,
    headers,
    requests: Array.from({ length: size.reads }, () => read),
    connections: 64,
  });
  const respondents = await startRespondents(demo.api, survey.surveyId, size.respondents);
  const saves = await runLoad({ url, headers, requests: ourSaves(survey, respondents), connections: 256 });
  system.reads.push(reads.perSecond);
  system.saves.push(saves.perSecond);
}
