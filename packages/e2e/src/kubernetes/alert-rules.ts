import { conditions, type Condition } from "@canvass/operator/conditions";
import { stringify } from "yaml";

/** Content of `deploy/kubernetes/components/prometheus/alerts.yaml`, generated from the table of conditions. */
export function alertsManifest(): string {
  const manifest = {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "canvass", labels: { "app.kubernetes.io/part-of": "canvass" } },
    spec: { groups: [{ name: "canvass", rules: conditions.map(ruleOf) }] },
  };
  const origin =
    "# Made of packages/operator/src/doctor/conditions.ts by packages/e2e/test/kubernetes/alerts.test.ts (vitest -u).\n";
  return origin + stringify(manifest, { lineWidth: 0 });
}

function ruleOf({ name, measure, limit, minutes, severity, runbook, ...rest }: Condition) {
  const beyond = "over" in limit ? `> ${limit.over}` : `< ${limit.under}`;
  return {
    alert: name,
    expr: `${measure.promql} ${beyond}`,
    for: `${minutes}m`,
    labels: { severity },
    annotations: { summary: template(rest), description: rest.advice, runbook: `deploy/runbooks/${runbook}.md` },
  };
}

const formats = { seconds: " | humanizeDuration", share: " | humanizePercentage", count: "" };

function template({ sentence, unit }: Pick<Condition, "sentence" | "unit">): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "value" ? `{{ $value${formats[unit]} }}` : `{{ $labels.${name} }}`,
  );
}
