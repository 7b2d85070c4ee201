import { conditions } from "@canvass/operator/conditions";
import { PROCESSES, WORKSPACE_ROOT } from "@canvass/processes";
import { parser } from "@prometheus-io/lezer-promql";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alertsManifest } from "../../src/kubernetes/alert-rules.ts";
import { dashboardJson, rows } from "../../src/kubernetes/dashboard.ts";
import { ofKind, production } from "./installations.ts";

interface AlertRule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

const component = join(WORKSPACE_ROOT, "deploy/kubernetes/components/prometheus");
const runbooks = join(WORKSPACE_ROOT, "deploy/runbooks");

test("the alert rules equal the table of conditions", async () => {
  await expect(alertsManifest()).toMatchFileSnapshot(join(component, "alerts.yaml"));
});

test("the dashboard equals its table", async () => {
  await expect(dashboardJson()).toMatchFileSnapshot(join(component, "dashboard.json"));
});

const rules = ofKind(production, "PrometheusRule").flatMap(({ spec }) =>
  (spec as { groups: { rules: AlertRule[] }[] }).groups.flatMap((group) => group.rules),
);
const scalers = ofKind(production, "ScaledObject").flatMap(({ spec }) =>
  (spec as { triggers: { metadata: { query: string } }[] }).triggers.map(({ metadata }) => metadata.query),
);
const lines = rows.flatMap(({ graphs }) => graphs.flatMap((graph) => graph.lines.map(([expr]) => expr)));
// Grafana fills in `$__rate_interval`.
const expressions = [...rules.map(({ expr }) => expr), ...scalers, ...lines].map((expr) =>
  expr.replaceAll("$__rate_interval", "5m"),
);

/** Names of the metrics in a PromQL expression. Throws if it is not valid PromQL. */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expression}`);
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector") names.push(expression.slice(from, to));
    },
  });
  return names;
}

test("the parser finds mistakes and metrics", () => {
  expect(() => metricsIn("sum(rate(a[5m])")).toThrow("no PromQL");
  expect(metricsIn('sum by (b) (rate(a{c="d"}[5m])) / e > 1')).toEqual(["a", "e"]);
});

/** Metrics of a running system's processes, which packages/e2e/test/outages.test.ts lists. `up` is Prometheus' own. */
const shown = new Set(["up"]);
for (const line of readFileSync(join(import.meta.dirname, "metric-names.txt"), "utf8")
  .trim()
  .split("\n")) {
  const [name, type] = line.split(" ") as [string, string];
  for (const suffix of type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]) shown.add(name + suffix);
}

test.each(expressions)("%s is PromQL, of metrics that processes have", (expression) => {
  const metrics = metricsIn(expression);
  expect(metrics.length).toBeGreaterThan(0);
  expect(metrics.filter((name) => !shown.has(name))).toEqual([]);
});

test("the table's sentences end with a full stop, and its names are unique", () => {
  for (const { sentence, advice } of conditions) for (const text of [sentence, advice]) expect(text).toMatch(/\.$/);
  expect(new Set(conditions.map(({ name }) => name)).size).toBe(conditions.length);
});

test("the limit of CanvassServiceMissing is the number of processes", () => {
  const missing = conditions.find(({ name }) => name === "CanvassServiceMissing");
  expect(missing?.limit).toEqual({ under: PROCESSES.length });
});

test("every label of a sentence is one that the alert has", () => {
  for (const { sentence, measure } of conditions) {
    const grouped =
      /^\w+ by \(([^)]*)\)|sum by \(([^)]*)\)/.exec(measure.promql)?.slice(1).join(",").split(/, ?/) ?? [];
    for (const [, label] of sentence.matchAll(/\{(\w+)\}/g)) expect([...grouped, "value"]).toContain(label);
  }
});

test("every alert names a page that exists and that the index lists, and every page of an alert has one", () => {
  const index = readFileSync(join(runbooks, "README.md"), "utf8");
  const [alerts = ""] = index.split("## Day two");
  const pages = new Set(conditions.map(({ runbook }) => `${runbook}.md`));
  for (const page of pages) {
    expect({ page, exists: existsSync(join(runbooks, page)) }).toEqual({ page, exists: true });
    expect(alerts).toContain(`](${page})`);
  }
  for (const [, page] of alerts.matchAll(/\]\(([\w-]+\.md)\)/g)) expect(pages).toContain(page);
});
