import { PROCESSES } from "@canvass/processes";
import { describe, expect, test } from "vitest";
import { podTemplateOf, type Container, type Manifest, type PodSpec } from "../../src/kubernetes/manifest.ts";
import { installations, ofKind, overlays, production, selects, type LabelSelector } from "./installations.ts";

const podsOf = (manifests: readonly Manifest[]): [name: string, spec: PodSpec][] =>
  manifests.flatMap((manifest): [string, PodSpec][] => {
    const template = podTemplateOf(manifest);
    return template ? [[`${manifest.kind} ${manifest.metadata.name}`, template.spec]] : [];
  });

describe.each(
  installations.flatMap(([installation, manifests]) =>
    podsOf(manifests).map(([name, spec]) => [`${installation}: ${name}`, spec] as const),
  ),
)("%s", (_, spec) => {
  test('is "restricted" as the Pod Security Standards have it, and more', () => {
    expect(spec["securityContext"]).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect((spec["securityContext"] as { runAsUser: number }).runAsUser).toBeGreaterThan(0);
    for (const name of ["hostNetwork", "hostPID", "hostIPC"]) expect(spec).not.toHaveProperty(name);
    const volumes = (spec["volumes"] ?? []) as Record<string, unknown>[];
    const kinds = volumes.flatMap((volume) => Object.keys(volume).filter((field) => field !== "name"));
    expect(["emptyDir", "configMap", "secret"]).toEqual(expect.arrayContaining(kinds));
    expect(spec["automountServiceAccountToken"]).toBe(false);
    for (const container of allContainers(spec)) {
      expect(container["securityContext"]).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(container.ports?.every((port) => !("hostPort" in port)) ?? true).toBe(true);
    }
  });

  test("asks for CPU and memory, and has a limit of memory", () => {
    for (const container of allContainers(spec)) {
      expect(container["resources"]).toEqual({
        requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
        limits: { memory: expect.any(String) as string },
      });
    }
  });
});

const allContainers = (spec: PodSpec): Container[] => [...(spec.initContainers ?? []), ...spec.containers];

/** Milliseconds after the drain delay in which a process ends anyway: `longestStopMs` of packages/telemetry. */
const stopMs = 20_000;

describe.each(Object.entries(overlays))("%s", (_, manifests) => {
  test.each(PROCESSES)("$name is probed, drained, spread and rolled without a gap", ({ name }) => {
    const deployment = ofKind(manifests, "Deployment").find(({ metadata }) => metadata.name === name)!;
    const { spec, metadata } = podTemplateOf(deployment)!;
    const [container] = spec.containers;
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: "/livez", port: "ops" } },
      livenessProbe: { httpGet: { path: "/livez", port: "ops" } },
      readinessProbe: { httpGet: { path: "/readyz", port: "ops" } },
    });
    const delayMs = Number(container!.env!.find((each) => each.name === "CANVASS_DRAIN_DELAY_MS")!.value);
    expect(delayMs).toBeGreaterThanOrEqual(5_000);
    expect((spec["terminationGracePeriodSeconds"] as number) * 1_000).toBeGreaterThanOrEqual(delayMs + stopMs + 5_000);
    const spread = spec["topologySpreadConstraints"] as { topologyKey: string; labelSelector: LabelSelector }[];
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
      "topology.kubernetes.io/zone",
      "kubernetes.io/hostname",
    ]);
    for (const { labelSelector } of spread) expect(selects(labelSelector, metadata.labels)).toBe(true);
    const { strategy, replicas } = deployment["spec"] as Record<string, unknown>;
    expect(strategy).toEqual({ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    // Left to the autoscaler: a number here would replace its own at each rollout.
    expect(replicas).toBeUndefined();
  });

  test("every PodDisruptionBudget permits one pod to be unavailable", () => {
    const budgets = ofKind(manifests, "PodDisruptionBudget");
    expect(budgets.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      PROCESSES.map(({ name }) => name).toSorted(),
    );
    for (const { spec } of budgets) expect(spec).toMatchObject({ maxUnavailable: 1 });
  });

  test("its namespace enforces the restricted Pod Security Standard", () => {
    expect(ofKind(manifests, "Namespace")).toMatchObject([
      { metadata: { labels: { "pod-security.kubernetes.io/enforce": "restricted" } } },
    ]);
    const { name } = ofKind(manifests, "Namespace")[0]!.metadata;
    const spaces = manifests.filter(({ kind }) => kind !== "Namespace").map(({ metadata }) => metadata.namespace);
    expect(new Set(spaces)).toEqual(new Set([name]));
  });
});

test("in production two pods of each process run at least, and of the event stream three copies", () => {
  for (const { spec } of ofKind(production, "HorizontalPodAutoscaler"))
    expect((spec as { minReplicas: number }).minReplicas).toBeGreaterThanOrEqual(2);
  for (const { spec } of ofKind(production, "ScaledObject"))
    expect((spec as { minReplicaCount: number }).minReplicaCount).toBeGreaterThanOrEqual(2);
  const services = ofKind(production, "Deployment").filter(({ metadata }) => metadata.name !== "gateway");
  for (const service of services)
    expect(podTemplateOf(service)!.spec.containers[0]!.env).toContainEqual({
      name: "CANVASS_NATS_REPLICAS",
      value: "3",
    });
});
