import { WORKSPACE_ROOT } from "@canvass/processes";
import { parser } from "@prometheus-io/lezer-promql";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ofKind, production } from "./installations.ts";

interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
}

const rules = ofKind(production, "PrometheusRule").flatMap(({ spec }) =>
  (spec as { groups: { rules: AlertRule[] }[] }).groups.flatMap((group) => group.rules),
);
const scalers = ofKind(production, "ScaledObject").flatMap(({ spec }) =>
  (spec as { triggers: { metadata: { query: string } }[] }).triggers.map(({ metadata }) => metadata.query),
);
const expressions = [...rules.map(({ expr }) => expr), ...scalers];

/** Names of the metrics in a PromQL expression. Throws where it is none. */
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

test.each(expressions)("%s is PromQL, of metrics that processes have", (expression) => {
  const metrics = metricsIn(expression);
  expect(metrics.length).toBeGreaterThan(0);
  for (const metric of metrics) expect(sources).toContain(`"${metric.replace(/_(bucket|count|sum)$/, "")}"`);
});

const sources = globSync("{gateway,services/*,packages/*}/src/**/*.ts", {
  cwd: WORKSPACE_ROOT,
  exclude: (path) => path.endsWith("node_modules") || path.endsWith(".test.ts"),
})
  .map((path) => readFileSync(join(WORKSPACE_ROOT, path), "utf8"))
  .join("\n");

test("every alert tells how urgent it is, and what is wrong", () => {
  for (const { labels, annotations, for: wait } of rules) {
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$/);
    expect(wait).toMatch(/^\d+m$/);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});
