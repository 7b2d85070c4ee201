import type { Kustomization } from "./kustomization.ts";
import { containersOf, podTemplateOf, type Manifest } from "./manifest.ts";

/** Adds labels to objects and, with `includeTemplates`, to their pods. Does not change selectors. */
export function addLabels(manifests: Manifest[], labels: NonNullable<Kustomization["labels"]>): void {
  for (const { pairs, includeTemplates } of labels) {
    for (const manifest of manifests) {
      const template = includeTemplates ? podTemplateOf(manifest) : undefined;
      for (const { metadata } of template ? [manifest, template] : [manifest]) {
        metadata.labels = { ...metadata.labels, ...pairs };
      }
    }
  }
}

export function setNamespace(manifests: Manifest[], namespace: string): void {
  for (const { kind, metadata } of manifests) if (kind !== "Namespace") metadata.namespace = namespace;
}

/** Sets the registry and version of images, found by the names in the manifests. */
export function setImages(manifests: Manifest[], images: NonNullable<Kustomization["images"]>): void {
  for (const container of manifests.flatMap(containersOf)) {
    const { name, tag } = splitImage(container.image);
    const change = images.find((image) => image.name === name);
    if (!change) continue;
    const newTag = change.newTag ?? tag;
    container.image = `${change.newName ?? name}${newTag ? `:${newTag}` : ""}`;
  }
}

/** A colon before a slash belongs to the registry's port. */
export function splitImage(image: string): { name: string; tag?: string | undefined } {
  const [, name, tag] = /^(.+?)(?::([^/:]+))?$/.exec(image)!;
  return { name: name!, tag };
}
