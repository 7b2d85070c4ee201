import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** The fields of a kustomization that `render` supports. */
export interface Kustomization {
  kind?: "Kustomization" | "Component";
  namespace?: string;
  resources?: string[];
  components?: string[];
  configMapGenerator?: ConfigMapArgs[];
  patches?: Patch[];
  labels?: { pairs: Record<string, string>; includeTemplates?: boolean }[];
  images?: { name: string; newName?: string; newTag?: string }[];
}

export interface ConfigMapArgs {
  name: string;
  behavior?: "create" | "merge";
  /** Files of `NAME=value` lines. */
  envs?: string[];
  literals?: string[];
  /** Files. Each becomes one value, under the file's name. */
  files?: string[];
  options?: { labels: Record<string, string> };
}

/** A strategic merge patch, inline or in a file. */
export interface Patch {
  path?: string;
  patch?: string;
  target?: { kind?: string; name?: string; labelSelector?: string };
}

const known = [
  "apiVersion",
  "kind",
  "namespace",
  "resources",
  "components",
  "configMapGenerator",
  "patches",
  "labels",
  "images",
];

/** Reads a folder's kustomization. Throws on a field that `render` does not support. */
export function readKustomization(folder: string): Kustomization {
  const kustomization = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as Kustomization;
  const unknown = Object.keys(kustomization).filter((field) => !known.includes(field));
  if (unknown.length > 0) throw new Error(`${folder}: the renderer does not know ${unknown.join(", ")}`);
  return kustomization;
}
