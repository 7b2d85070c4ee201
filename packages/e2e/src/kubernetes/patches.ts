import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Patch } from "./kustomization.ts";
import type { Manifest } from "./manifest.ts";
import { strategicMerge } from "./strategic-merge.ts";

type Change = Partial<Manifest> & { $patch?: "delete" };

/** Applies a strategic merge patch in place to the objects it targets. Throws if there are none. */
export function applyPatch(manifests: Manifest[], { path, patch, target }: Patch, folder: string): void {
  const change = parse(patch ?? readFileSync(join(folder, path!), "utf8")) as Change;
  const wanted = target ?? { kind: change.kind, name: change.metadata?.name };
  const targets = manifests.filter((manifest) => isTarget(manifest, wanted));
  if (targets.length === 0) throw new Error(`${folder}: no object for the patch of ${JSON.stringify(wanted)}`);
  for (const manifest of targets) {
    if (change.$patch === "delete") manifests.splice(manifests.indexOf(manifest), 1);
    // A patch does not rename its target.
    else Object.assign(manifest, strategicMerge(manifest, { ...change, metadata: metadataOf(change) }));
  }
}

function metadataOf({ metadata }: Change): object {
  const { name: _, ...rest } = metadata ?? { name: "" };
  return rest;
}

function isTarget({ kind, metadata }: Manifest, target: NonNullable<Patch["target"]>): boolean {
  const [label, value] = target.labelSelector?.split("=") ?? [];
  return (
    (!target.kind || target.kind === kind) &&
    (!target.name || target.name === metadata.name) &&
    (!label || metadata.labels?.[label] === value)
  );
}
