import { spawnSync } from "node:child_process";
import { Type } from "typebox";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLogger } from "../src/logger.ts";
import { readConfig } from "../src/read-config.ts";
import { createSampling } from "../src/tracing/sampling.ts";
import { startTracing } from "../src/tracing/start-tracing.ts";
import { startTrace, inSpan, isTraced, isTracing, startSpan, traceField } from "../src/tracing/tracer.ts";
import { tracingEnvironment } from "../src/tracing/tracing-environment.ts";
import { startTestCollector } from "./otlp-collector.ts";

const log = createLogger({ service: "test", level: "silent" });
const read = (variables: Record<string, string>) => readConfig(Type.Object(tracingEnvironment), variables);

async function collectorAndTracing(variables: Record<string, string> = { OTEL_TRACES_SAMPLER: "always_on" }) {
  const collector = await startTestCollector();
  const config = read({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables });
  const tracing = (await startTracing(config, { service: "test", log }))!;
  onTestFinished(async () => {
    await tracing[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
  });
  return { collector, tracing };
}

const traceId = "0af7651916cd43dd8448eb211c80319c";
const callers = (flags: string) => `00-${traceId}-b7ad6b7169203331-${flags}`;

test.each([{}, { OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }])(
  "without a collector, or disabled, nothing of OpenTelemetry is loaded and nothing is traced: %j",
  (variables) => {
    const program = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ resolve: (name, about, next) => (loaded.push(name), next(name, about)) });
      const { createLogger, isTraced, startTrace, readConfig, startTracing, tracingEnvironment } =
        await import("${new URL("../src/index.ts", import.meta.url).href}");
      const { Type } = await import("typebox");
      const config = readConfig(Type.Object(tracingEnvironment), process.env);
      const tracing = await startTracing(config, { service: "test", log: createLogger({ service: "test" }) });
      const traced = isTraced("${callers("01")}") || startTrace("${callers("01")}", "GET") !== undefined;
      // prom-client imports the interfaces.
      const names = loaded.filter((name) => name.startsWith("@opentelemetry/") && name !== "@opentelemetry/api");
      console.log(JSON.stringify({ on: tracing !== undefined, traced, names, pino: loaded.includes("pino") }));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...variables },
    });
    expect(JSON.parse(stdout)).toEqual({ on: false, traced: false, names: [], pino: true });
  },
);

test("spans below a request's reach the collector in its trace, with their failures", async () => {
  const { collector, tracing } = await collectorAndTracing();
  const trace = startTrace(callers("01"), "GET /surveys")!;
  const failing = inSpan(trace.traceparent, ["client", "transaction", { "db.system.name": "postgresql" }], () =>
    Promise.reject(Object.assign(new Error("no"), { code: "23505" })),
  );
  await expect(failing).rejects.toThrow("no");
  startSpan(trace.traceparent, "consumer", "process", {})!.end();
  trace.span!.set("http.response.status_code", 200);
  trace.span!.end();
  await tracing[Symbol.asyncDispose]();
  expect(isTracing()).toBe(false);
  const { spanId } = collector.spans.find(({ kind }) => kind === 2)!;
  const below = { service: "test", traceId, parentSpanId: spanId };
  expect(collector.spans).toEqual([
    {
      ...below,
      spanId: expect.any(String),
      name: "transaction",
      kind: 3,
      attributes: { "db.system.name": "postgresql", "error.type": "23505" },
      status: 2,
    },
    { ...below, spanId: expect.any(String), name: "process", kind: 5, attributes: {}, status: 0 },
    {
      ...below,
      parentSpanId: "b7ad6b7169203331",
      spanId,
      name: "GET /surveys",
      kind: 2,
      attributes: { "http.response.status_code": 200 },
      status: 0,
    },
  ]);
});

test("a caller names the trace, but does not decide whether it is sampled", async () => {
  await collectorAndTracing({ OTEL_TRACES_SAMPLER: "always_on" });
  for (const flags of ["00", "01"]) expect(startTrace(callers(flags), "GET")!.span).toBeDefined();
  await collectorAndTracing({ OTEL_TRACES_SAMPLER_ARG: "0" });
  for (const flags of ["00", "01"]) {
    const trace = startTrace(callers(flags), "GET")!;
    expect(trace).toEqual({ traceparent: callers("00"), span: undefined });
    expect(isTraced(trace.traceparent)).toBe(false);
    expect(traceField(trace.traceparent)).toEqual({ trace_id: traceId });
  }
  expect(startTrace(undefined, "GET")).toBeUndefined();
});

test("the set share of requests is traced, at random and whatever the trace id", () => {
  let chance = 0;
  const isSampled = createSampling(read({ OTEL_TRACES_SAMPLER_ARG: "0.25" }), () => chance);
  const decided = [0, 0.24, 0.25, 0.99].map((next) => ((chance = next), isSampled()));
  expect(decided).toEqual([true, true, false, false]);
});

// W3C Trace Context, 3.2.2.
test.each([
  "",
  "x",
  callers("01").toUpperCase(),
  callers("01").slice(0, -1),
  callers("01") + "-more",
  callers("01").replace(/^00/, "ff"),
  `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `${callers("01")}, ${callers("01")}`,
])("a malformed traceparent is ignored: %s", async (received) => {
  await collectorAndTracing();
  const { traceparent } = startTrace(received, "GET")!;
  expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(traceparent).not.toContain(traceId);
});

test("a later version of traceparent is read as far as it is compatible", async () => {
  await collectorAndTracing();
  expect(startTrace(callers("01").replace(/^00/, "01") + "-more", "GET")!.traceparent).toContain(`00-${traceId}-`);
});

test("spans wait in a bounded queue; further ones are dropped without blocking", async () => {
  const { collector, tracing } = await collectorAndTracing();
  collector.answer("hang");
  for (let span = 0; span < 5_000; span += 1) startTrace(undefined, "GET")!.span!.end();
  await expect.poll(() => collector.exports).toBe(1);
  collector.answer(200);
  await tracing[Symbol.asyncDispose]();
  await expect.poll(() => collector.spans).toHaveLength(2_048);
});

test.each(["hang", 500, "gone"] as const)(
  "a collector that answers %s delays a stop by at most a second",
  async (answer) => {
    const { collector, tracing } = await collectorAndTracing();
    if (answer === "gone") await collector[Symbol.asyncDispose]();
    else collector.answer(answer);
    for (let span = 0; span < 1_000; span += 1) startTrace(undefined, "GET")!.span!.end();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stopped = tracing[Symbol.asyncDispose]();
    // The export itself may take ten seconds.
    vi.advanceTimersByTime(1_000);
    await expect(stopped).resolves.toBeUndefined();
    vi.useRealTimers();
  },
);

test("lost spans are logged", async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const heard = createLogger({ service: "test", pretty: false, destination });
  await using collector = await startTestCollector();
  collector.answer(404);
  const config = read({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: "always_on" });
  const tracing = (await startTracing(config, { service: "test", log: heard }))!;
  startTrace(undefined, "GET")!.span!.end();
  await tracing[Symbol.asyncDispose]();
  await expect.poll(() => lines.join("")).toContain("spans could not be exported");
});
