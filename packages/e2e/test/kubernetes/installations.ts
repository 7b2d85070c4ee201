import { WORKSPACE_ROOT } from "@canvass/processes";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { render } from "../../src/kubernetes/render.ts";
import type { Manifest } from "../../src/kubernetes/manifest.ts";

export const DEPLOY = join(WORKSPACE_ROOT, "deploy/kubernetes");
const foldersOf = (path: string): string[] =>
  readdirSync(join(DEPLOY, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

export const overlays = Object.fromEntries(
  foldersOf("overlays").map((name) => [name, render(join(DEPLOY, "overlays", name))]),
);
export const production = overlays["production"]!;

/** Optional components of an overlay. The excluded ones are parts of base. */
const choices = foldersOf("components").filter((name) => name !== "process" && name !== "job");

/** Every overlay, and base with each single component. */
export const installations: [name: string, manifests: Manifest[]][] = [
  ...Object.entries(overlays),
  ...choices.map((name): [string, Manifest[]] => [
    `base with ${name}`,
    render(join(DEPLOY, "base"), {
      resources: ["../base"],
      components: [`../components/${name}`],
    }),
  ]),
];

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

/** Whether a label selector matches the labels. */
export function selects(selector: LabelSelector, labels: Record<string, string> = {}): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== "In") throw new Error(`selectors of the tests know no ${operator}`);
      return values.includes(labels[key] ?? "");
    })
  );
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
