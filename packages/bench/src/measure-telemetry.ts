import { startDemoSystem, type DemoSystem } from "@canvass/e2e";
import { measured, type BenchSize, type Measurement, type TelemetryPart } from "./bench-context.ts";
import { startCollector } from "./collector.ts";
import { runLoad } from "./load.ts";
import { ourSaves, publishPagedSurvey, startRespondents, type PagedSurvey } from "./paged-survey.ts";
import { startScraping } from "./start-scraping.ts";

/** A system and its rates in each round. */
interface Observed {
  demo: DemoSystem;
  survey: PagedSurvey;
  reads: number[];
  saves: number[];
}

/** Telemetry settings, from nothing to everything. */
const ways = ["off", "metrics", "usual", "traced"] as const;
type Way = (typeof ways)[number];

/**
 * Runs the same load on systems without telemetry, with metrics, with metrics and the default share of traces, and with
 * metrics and all traces. Systems take turns while the others are idle. Each round starts with a different system.
 */
export async function measureTelemetry(
  size: Pick<BenchSize, "rounds" | "reads" | "respondents">,
  say: (line: string) => void,
): Promise<Measurement[]> {
  await using started = new AsyncDisposableStack();
  const collector = started.use(await startCollector());
  const systems = {} as Record<Way, Observed>;
  for (const way of ways) {
    const env = { NODE_ENV: "production", ...environment(way, collector.url) };
    const demo = started.use(await startDemoSystem({ env, repeats: false }));
    systems[way] = { demo, survey: await publishPagedSurvey(demo.api), reads: [], saves: [] };
  }
  // The first round only warms up.
  for (let round = 0; round <= size.rounds; round += 1) {
    const first = round % ways.length;
    for (const way of [...ways.slice(first), ...ways.slice(0, first)]) {
      const system = systems[way];
      await measureRound(system, size, way !== "off");
      if (round > 0) continue;
      system.reads = [];
      system.saves = [];
    }
    const rates = ways.map(
      (way) => `${way} ${figure(systems[way].reads.at(-1))} and ${figure(systems[way].saves.at(-1))}`,
    );
    if (round > 0) say(`telemetry ${round}: reads and saves with ${rates.join(", ")}`);
  }
  const { off, metrics, usual, traced } = systems;
  return [
    ...rows("telemetry", usual, off),
    ...rows("metrics", metrics, off),
    ...rows("tracing", usual, metrics),
    ...rows("tracing_all", traced, metrics),
  ];
}

const rows = (name: TelemetryPart, some: Observed, less: Observed): Measurement[] => [
  measured(`${name}_read`, some.reads, less.reads, "requests/s"),
  measured(`${name}_submit`, some.saves, less.saves, "requests/s"),
];

const figure = (rate = 0): string => String(Math.round(rate));

function environment(way: Way, collector: string): Record<string, string> {
  if (way === "off") return { OTEL_METRICS_EXPORTER: "none" };
  if (way === "metrics") return {};
  return { OTEL_EXPORTER_OTLP_ENDPOINT: collector, ...(way === "traced" && { OTEL_TRACES_SAMPLER_ARG: "1" }) };
}

async function measureRound(
  { demo, survey, ...rates }: Observed,
  size: Pick<BenchSize, "reads" | "respondents">,
  isScraped: boolean,
): Promise<void> {
  const { baseUrl: url, token, processes } = demo.system.local;
  await using _scraped = isScraped ? startScraping(processes.map(({ opsUrl }) => opsUrl)) : null;
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
  rates.reads.push(reads.perSecond);
  rates.saves.push(saves.perSecond);
}
