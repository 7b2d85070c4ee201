import type { Manifest } from "../../src/kubernetes/manifest.ts";

/**
 * Modules that describe the kinds of objects, by API version. Each exports a class named like the kind, and its type
 * `I<kind>`.
 */
const modules: Record<string, string> = {
  v1: "kubernetes-models/v1",
  "apps/v1": "kubernetes-models/apps/v1",
  "autoscaling/v2": "kubernetes-models/autoscaling/v2",
  "batch/v1": "kubernetes-models/batch/v1",
  "networking.k8s.io/v1": "kubernetes-models/networking.k8s.io/v1",
  "policy/v1": "kubernetes-models/policy/v1",
  "gateway.networking.k8s.io/v1": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1",
  "keda.sh/v1alpha1": "@kubernetes-models/keda/keda.sh/v1alpha1",
  "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
  "postgresql.cnpg.io/v1": "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1",
};

type Model = new (manifest: Manifest) => { validate: () => void };

export function moduleOf({ apiVersion, kind }: Manifest): string {
  const module = modules[apiVersion];
  if (!module) throw new Error(`no model of ${apiVersion} ${kind}`);
  return `${module}/${kind}`;
}

/** Throws if a value is wrong or a required one is missing. The compiler finds unknown fields. */
export async function validate(manifest: Manifest): Promise<void> {
  const models = (await import(moduleOf(manifest))) as Record<string, Model>;
  new models[manifest.kind]!(manifest).validate();
}
