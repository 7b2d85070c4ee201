import { parseAllDocuments } from "yaml";

/** A Kubernetes object parsed from YAML. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

/** Throws if the text is not valid YAML. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { strict: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() as Manifest;
  });
}

export interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: PodSpec;
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  [field: string]: unknown;
}

export interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  [field: string]: unknown;
}

const workloads = new Set(["Deployment", "StatefulSet", "Job"]);

/** The pod template of a workload; undefined for other objects. */
export function podTemplateOf(manifest: Manifest): PodTemplate | undefined {
  return workloads.has(manifest.kind) ? (manifest["spec"] as { template: PodTemplate }).template : undefined;
}

/** Labels of the pods of all workloads. */
export function podLabelsOf(manifests: readonly Manifest[]): Record<string, string>[] {
  return manifests.flatMap((manifest) => {
    const template = podTemplateOf(manifest);
    return template ? [template.metadata.labels] : [];
  });
}

export function containersOf(manifest: Manifest): Container[] {
  const spec = podTemplateOf(manifest)?.spec;
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
}
