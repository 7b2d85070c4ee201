import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { ConfigMapArgs } from "./kustomization.ts";
import { podTemplateOf, type Manifest } from "./manifest.ts";

/** Manifests that `nameByContent` renames. A WeakSet keeps the mark out of `render`'s output. */
const generated = new WeakSet<Manifest>();

/** Adds a ConfigMap, or merges its data into an existing one. */
export function generateConfigMap(manifests: Manifest[], args: ConfigMapArgs, folder: string): void {
  const existing = manifests.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === args.name);
  if ((args.behavior === "merge") !== (existing !== undefined))
    throw new Error(`${folder}: ConfigMap ${args.name} ${existing ? "exists already" : "is not there to merge"}`);
  const data = dataOf(args, folder);
  if (existing) existing["data"] = { ...(existing["data"] as object), ...data };
  else {
    const metadata = { name: args.name, ...args.options };
    const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
    manifests.push(manifest);
    generated.add(manifest);
  }
}

function dataOf({ envs = [], literals = [], files = [] }: ConfigMapArgs, folder: string): Record<string, string> {
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  return Object.assign(
    {},
    ...envs.map((path) => parseEnv(read(path))),
    ...literals.map((line) => parseEnv(line)),
    ...files.map((path) => ({ [path]: read(path) })),
  ) as Record<string, string>;
}

/** Appends a content hash to the names of generated ConfigMaps, so that pods roll when a setting changes. */
export function nameByContent(manifests: Manifest[]): void {
  const names = new Map<string, string>();
  for (const manifest of manifests.filter((each) => generated.has(each))) {
    const { name } = manifest.metadata;
    names.set(name, `${name}-${hashOf(manifest["data"] as Record<string, string>)}`);
    manifest.metadata.name = names.get(name)!;
  }
  for (const manifest of manifests) renameReferences(podTemplateOf(manifest), names);
}

/** Kustomize's hash: SHA-256 of data, kind and an empty name, as ten characters that cannot spell a word. */
function hashOf(data: Record<string, string>): string {
  const sorted = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify({ data: sorted, kind: "ConfigMap", name: "" }).replace(
    /[<>&]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
  const letters: Record<string, string> = { 0: "g", 1: "h", 3: "k", a: "m", e: "t" };
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return digest.replace(/[013ae]/g, (digit) => letters[digit]!);
}

function renameReferences(node: unknown, names: ReadonlyMap<string, string>): void {
  if (typeof node !== "object" || node === null) return;
  for (const [field, value] of Object.entries(node)) {
    if (field === "configMapRef" || field === "configMap") {
      const reference = value as { name: string };
      reference.name = names.get(reference.name) ?? reference.name;
    } else renameReferences(value, names);
  }
}
