import { PROCESSES } from "@canvass/processes";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { containersOf, podLabelsOf, podTemplateOf, type Manifest } from "../../src/kubernetes/manifest.ts";
import { render } from "../../src/kubernetes/render.ts";
import { DEPLOY, installations, ofKind, production, selects, type LabelSelector } from "./installations.ts";

const namesOf = (manifests: readonly Manifest[], kind: string): string[] =>
  ofKind(manifests, kind).map(({ metadata }) => metadata.name);

describe.each(installations)("%s", (_, manifests) => {
  const pods = podLabelsOf(manifests);

  test("ConfigMaps and service accounts that pods name are there", () => {
    const templates = manifests.flatMap((manifest) => podTemplateOf(manifest) ?? []);
    const accounts = templates.flatMap(({ spec }) => (spec["serviceAccountName"] as string | undefined) ?? []);
    expect(namesOf(manifests, "ServiceAccount")).toEqual(expect.arrayContaining(accounts));
    const fromEnv = manifests.flatMap(containersOf).flatMap(({ envFrom = [] }) => envFrom);
    const configs = fromEnv.flatMap(({ configMapRef }) => configMapRef?.name ?? []);
    expect(namesOf(manifests, "ConfigMap")).toEqual(expect.arrayContaining(configs));
    expect(configs.every((name) => /-[a-z0-9]{10}$/.test(name))).toBe(true);
  });

  test("every Service has pods, and its ports are theirs", () => {
    for (const { metadata, spec } of ofKind(manifests, "Service")) {
      const { selector, ports } = spec as { selector: Record<string, string>; ports: { targetPort: string }[] };
      const chosen = manifests.filter((each) => {
        const labels = podTemplateOf(each)?.metadata.labels;
        return labels && selects({ matchLabels: selector }, labels);
      });
      expect([metadata.name, chosen.length]).toEqual([metadata.name, 1]);
      const offered = chosen.flatMap(containersOf).flatMap(({ ports = [] }) => ports.map(({ name }) => name));
      expect(offered).toEqual(expect.arrayContaining(ports.map(({ targetPort }) => targetPort)));
    }
  });

  test("every Deployment selects only its own pods", () => {
    for (const { metadata, spec } of ofKind(manifests, "Deployment")) {
      const { selector } = spec as { selector: LabelSelector };
      expect([metadata.name, pods.filter((labels) => selects(selector, labels)).length]).toEqual([metadata.name, 1]);
    }
  });

  test("every scaler has a Deployment, and no Deployment two", () => {
    const scaled = manifests
      .filter(({ kind }) => kind === "HorizontalPodAutoscaler" || kind === "ScaledObject")
      .map(({ spec }) => (spec as { scaleTargetRef: { name: string } }).scaleTargetRef.name);
    expect(scaled.toSorted()).toEqual(PROCESSES.map(({ name }) => name).toSorted());
    expect(namesOf(manifests, "Deployment")).toEqual(expect.arrayContaining(scaled));
  });

  test("every NetworkPolicy chooses pods", () => {
    const foreign = ["postgres"];
    for (const { metadata, spec } of ofKind(manifests, "NetworkPolicy")) {
      const { podSelector } = spec as { podSelector: LabelSelector };
      const chosen = pods.some((labels) => selects(podSelector, labels));
      // CloudNativePG makes its pods itself.
      expect([metadata.name, chosen || foreign.includes(metadata.name)]).toEqual([metadata.name, true]);
    }
  });
});

test("Argo CD makes namespace, database, Jobs and the rest in this order", () => {
  const wave = ({ metadata }: Manifest): string => metadata.annotations?.["argocd.argoproj.io/sync-wave"] ?? "0";
  const waves = new Map(production.map((manifest) => [`${manifest.kind} ${wave(manifest)}`, Number(wave(manifest))]));
  const early = [...waves].filter(([, number]) => number < 0).toSorted(([, a], [, b]) => a - b);
  expect(early.map(([name]) => name)).toEqual(["Namespace -3", "Cluster -2", "Job -1"]);
});

test.each(PROCESSES)("the folder of $name contains every manifest of the process", ({ name, migrations }) => {
  const manifests = render(join(DEPLOY, "base", name));
  const kinds = ["Deployment", "Service", "ServiceAccount", "PodDisruptionBudget", "HorizontalPodAutoscaler"];
  const jobs = migrations ? ["Job", "NetworkPolicy"] : [];
  const expected = [...kinds, "NetworkPolicy", "ConfigMap", ...jobs];
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(expected.toSorted());
});
