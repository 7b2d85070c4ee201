import { expect, test } from "vitest";
import { registerProcessMetrics } from "./register-process-metrics.ts";
import { watchEventLoop } from "./event-loop-blocks.ts";
import { Counter, Gauge, Histogram } from "./instruments.ts";
import { measuredGauge } from "./measured-gauge.ts";
import { createMetrics } from "./metrics.ts";
import { startOpsServer } from "./ops-server.ts";

const opsServer = (metrics: ReturnType<typeof createMetrics>) =>
  startOpsServer({ host: "127.0.0.1", port: 0, metrics, checks: {} });

test("metrics are read as text in Prometheus' format, each with the name of its service", async () => {
  const metrics = createMetrics("survey", { OTEL_METRICS_EXPORTER: "prometheus" });
  registerProcessMetrics(metrics, { version: "1.2.3", now: () => new Date() });
  await using ops = await opsServer(metrics);
  const answer = await fetch(`${ops.url}/metrics`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  expect(await answer.text()).toContain('canvass_build_info{version="1.2.3",service="survey"} 1');
});

test("with metrics off nothing is counted or measured, and /metrics answers 404", async () => {
  const metrics = createMetrics("survey", { OTEL_METRICS_EXPORTER: "none" });
  const registers = [metrics];
  const labelNames = ["kind"] as const;
  const counter = new Counter({ name: "a_total", help: "a", labelNames, registers });
  const gauge = new Gauge({ name: "b", help: "b", labelNames, registers });
  const histogram = new Histogram({ name: "c_seconds", help: "c", labelNames, registers });
  counter.inc({ kind: "x" }, 2);
  counter.labels({ kind: "y" }).inc();
  gauge.set({ kind: "x" }, 2);
  gauge.dec({ kind: "x" });
  histogram.observe({ kind: "x" }, 2);
  measuredGauge(metrics, { name: "d", help: "d", measure: () => expect.unreachable() });
  using _watched = watchEventLoop(metrics);
  for (const metric of [counter, gauge, histogram]) {
    const { values } = await metric.get();
    expect(values.filter(({ value }) => value !== 0)).toEqual([]);
  }
  await using ops = await opsServer(metrics);
  const [off, ready] = await Promise.all([fetch(`${ops.url}/metrics`), fetch(`${ops.url}/readyz`)]);
  expect([off.status, await off.json(), ready.status]).toEqual([404, { status: "off" }, 200]);
});
