import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { generateConfigMap, nameByContent } from "./config-maps.ts";
import { readKustomization, type Kustomization } from "./kustomization.ts";
import { parseManifests, type Manifest } from "./manifest.ts";
import { applyPatch } from "./patches.ts";
import { addLabels, setImages, setNamespace } from "./transformers.ts";

/**
 * Renders a kustomization as `kubectl kustomize <folder>` does, for the features that deploy/kubernetes uses. Throws on
 * other fields. `kustomization` replaces the folder's own.
 */
export function render(folder: string, kustomization: Kustomization = readKustomization(folder)): Manifest[] {
  const manifests = build([], folder, kustomization);
  nameByContent(manifests);
  return manifests;
}

/** Kustomize's order: resources, generators, components, patches, namespace, labels, images. */
function build(manifests: Manifest[], folder: string, kustomization: Kustomization): Manifest[] {
  for (const path of kustomization.resources ?? []) addResource(manifests, join(folder, path));
  for (const args of kustomization.configMapGenerator ?? []) generateConfigMap(manifests, args, folder);
  for (const path of kustomization.components ?? []) {
    const component = join(folder, path);
    build(manifests, component, readKustomization(component));
  }
  for (const patch of kustomization.patches ?? []) applyPatch(manifests, patch, folder);
  if (kustomization.namespace) setNamespace(manifests, kustomization.namespace);
  addLabels(manifests, kustomization.labels ?? []);
  setImages(manifests, kustomization.images ?? []);
  return manifests;
}

function addResource(manifests: Manifest[], path: string): void {
  const added = statSync(path).isDirectory()
    ? build([], path, readKustomization(path))
    : parseManifests(readFileSync(path, "utf8"));
  for (const manifest of added) {
    const { kind, metadata } = manifest;
    if (manifests.some((each) => each.kind === kind && each.metadata.name === metadata.name))
      throw new Error(`${path}: ${kind} ${metadata.name} is there already`);
    manifests.push(manifest);
  }
}
