import { PROCESSES } from "@canvass/processes";
import { expect, test } from "vitest";
import { podTemplateOf, type Manifest } from "../../src/kubernetes/manifest.ts";
import { ofKind, overlays } from "./installations.ts";

/** Connections of the database's replicas and operator, of the administrator, and of commands run by hand. */
const SPARE = 30;
/** Connections of a migration and of its engine. */
const PER_JOB = 3;
/** Pods that a rolling update starts before it ends others. */
const SURGE = 1;

interface Scaled {
  scaleTargetRef: { name: string };
  maxReplicas?: number;
  maxReplicaCount?: number;
}

function mostPods(manifests: readonly Manifest[], name: string): number {
  const scalers = [...ofKind(manifests, "HorizontalPodAutoscaler"), ...ofKind(manifests, "ScaledObject")]
    .map((manifest) => manifest["spec"] as Scaled)
    .filter(({ scaleTargetRef }) => scaleTargetRef.name === name);
  return Math.max(...scalers.map(({ maxReplicas, maxReplicaCount }) => maxReplicas ?? maxReplicaCount ?? 0)) + SURGE;
}

function mostConnections(manifests: readonly Manifest[]): number {
  const [cluster] = ofKind(manifests, "Cluster") as unknown as {
    spec: { postgresql: { parameters: Record<string, string> } };
  }[];
  if (cluster) return Number(cluster.spec.postgresql.parameters["max_connections"]);
  const server = manifests.find(({ kind, metadata }) => kind !== "Service" && metadata.name === "postgres");
  const args = podTemplateOf(server!)!.spec.containers[0]!["args"] as string[];
  return Number(args.find((arg) => arg.startsWith("max_connections="))!.split("=")[1]);
}

test.each(Object.entries(overlays))("the PostgreSQL of %s has room for all pods at their most", (_, manifests) => {
  const pods = PROCESSES.map(({ name, connections = 0 }) => mostPods(manifests, name) * connections);
  const jobs = ofKind(manifests, "Job").length * PER_JOB;
  const needed = pods.reduce((sum, each) => sum + each, jobs + SPARE);
  expect(mostConnections(manifests)).toBeGreaterThanOrEqual(needed);
});
