import { startDemoSystem } from "@canvass/e2e";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBare } from "./bare/start-bare.ts";
import type { BenchContext, BenchSize, Measurement } from "./bench-context.ts";
import { measureAnswers } from "./measure-answers.ts";
import { measureAuthoring } from "./measure-authoring.ts";
import { measureContacts } from "./measure-contacts.ts";
import { measureDeliveries } from "./measure-deliveries.ts";
import { measureDrain } from "./measure-drain.ts";
import { measureElements } from "./measure-elements.ts";
import { measureEvents } from "./measure-events.ts";
import { measureFairDeliveries } from "./measure-fair-deliveries.ts";
import { measureFairFanOut } from "./measure-fair-fan-out.ts";
import { measureFairShare } from "./measure-fair-share.ts";
import { measureLatency } from "./measure-latency.ts";
import { measureLanguages } from "./measure-languages.ts";
import { measureLogic } from "./measure-logic.ts";
import { measureLone } from "./measure-lone.ts";
import { measureRead } from "./measure-read.ts";
import { measureResumedBacklog } from "./measure-resumed-backlog.ts";
import { measureRest } from "./measure-rest.ts";
import { measureSubmit } from "./measure-submit.ts";
import { measureTables } from "./measure-tables.ts";
import { measureTelemetry } from "./measure-telemetry.ts";
import { measureWalk } from "./measure-walk.ts";
import { measureWeight } from "./measure-weight.ts";
import { startReceiver } from "./receiver.ts";
import { resultTable } from "./result-table.ts";

const full: BenchSize = {
  rounds: 5,
  reads: 60_000,
  lists: 20_000,
  respondents: 4_000,
  deliveries: 3_000,
  drained: 20_000,
  latencies: 100,
  backlog: 100_000,
  loneSeconds: 6,
  weighed: 2_800,
  floodSeconds: 10,
  edits: 30,
  answers: 1_000_000,
  streams: 3,
  pages: 120,
  tabled: 1_000_000,
  walkers: 5_000,
  contacts: 1_000_000,
  restSeconds: 60,
};
const quick: BenchSize = {
  rounds: 2,
  reads: 20_000,
  lists: 6_000,
  respondents: 1_000,
  deliveries: 800,
  drained: 5_000,
  latencies: 20,
  backlog: 10_000,
  loneSeconds: 3,
  weighed: 700,
  floodSeconds: 4,
  edits: 8,
  answers: 100_000,
  streams: 1,
  pages: 32,
  tabled: 100_000,
  walkers: 500,
  contacts: 100_000,
  restSeconds: 10,
};

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: { quick: { type: "boolean" }, only: { type: "string" } },
});
const size = options.quick ? quick : full;
const say = (line: string) => void process.stdout.write(`${line}\n`);
const chosen = options.only?.split(",");
const isChosen = (part: string) => chosen?.includes(part) ?? true;

/** Parts that start their own systems. */
const apart: Record<string, () => Promise<Measurement[]>> = {
  rest: () => measureRest(size.restSeconds, say),
  telemetry: () => measureTelemetry(size, say),
};
/** Parts in this order: the first needs empty tables, the last leaves endpoints that hang. */
const together: Record<string, (context: BenchContext) => Promise<Measurement | Measurement[]>> = {
  weight: measureWeight,
  read: measureRead,
  elements: measureElements,
  submit: measureSubmit,
  logic: measureLogic,
  languages: measureLanguages,
  lone: measureLone,
  walk: measureWalk,
  contacts: measureContacts,
  authoring: measureAuthoring,
  "fair-share": measureFairShare,
  answers: measureAnswers,
  tables: measureTables,
  deliveries: withWebhook(measureDeliveries),
  drain: measureDrain,
  latency: withWebhook(measureLatency),
  events: withWebhook(measureEvents),
  "resumed-backlog": measureResumedBacklog,
  "fair-fan-out": measureFairFanOut,
  "fair-deliveries": measureFairDeliveries,
};
const unknown = chosen?.filter((part) => !(part in apart) && !(part in together)) ?? [];
if (unknown.length > 0) {
  say(`There is no ${unknown.join(", ")}. Choose of: ${[...Object.keys(apart), ...Object.keys(together)].join(", ")}.`);
  process.exit(2);
}

const measurements: Measurement[] = [];
for (const [part, measure] of Object.entries(apart)) if (isChosen(part)) measurements.push(...(await measure()));

say("Starting the system, the bare programs and a receiver …");
await using receiver = await startReceiver();
const directory = await mkdtemp(join(tmpdir(), "canvass-bench-"));
await using cleanUp = new AsyncDisposableStack();
cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
const caFile = join(directory, "receiver-ca.pem");
await writeFile(caFile, receiver.ca);
// Keeps rate limits on, but too high to be reached.
const unlimited = "1000000000";
await using demo = await startDemoSystem({
  repeats: false,
  env: {
    CANVASS_WEBHOOK_CA_FILE: caFile,
    CANVASS_RATE_LIMITS: "on",
    CANVASS_RATE_LIMIT_READS: unlimited,
    CANVASS_RATE_LIMIT_WRITES: unlimited,
    CANVASS_RATE_LIMIT_SUBMISSIONS: unlimited,
    CANVASS_RATE_LIMIT_LINKS: unlimited,
    NODE_ENV: "production",
  },
});
await using bare = await startBare(demo.system.local.databaseUrl);

const context = { demo, bare, receiver, size, say };
for (const [part, measure] of Object.entries(together)) {
  if (isChosen(part)) measurements.push(...[await measure(context)].flat());
}

say(`\n${resultTable(measurements)}`);
await mkdir(".canvass", { recursive: true });
await writeFile(".canvass/bench.json", `${JSON.stringify(measurements, null, 2)}\n`);
say("Written to .canvass/bench.json.");

/** Adds one webhook, shared by all wrapped parts. Earlier parts run without a webhook. */
function withWebhook<Result>(
  measure: (context: BenchContext) => Promise<Result>,
): (context: BenchContext) => Promise<Result> {
  return async (context) => {
    const { data } = await context.demo.api.get("/event-subscriptions");
    if (data.length === 0)
      await context.demo.api.post("/event-subscriptions", { name: "Bench", url: context.receiver.url });
    return measure(context);
  };
}
