import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { parse } from "yaml";

type Dependencies = Record<string, string>;
type Installed = Record<string, { version: string }>;
interface Importer {
  dependencies?: Installed;
  optionalDependencies?: Installed;
}
interface Snapshot {
  dependencies?: Dependencies;
  optionalDependencies?: Dependencies;
}

const lockfile = parse(readFileSync(join(WORKSPACE_ROOT, "pnpm-lock.yaml"), "utf8")) as {
  importers: Record<string, Importer>;
  snapshots: Record<string, Snapshot>;
};

/** Workspace folders of the processes. */
export const processFolders = [
  "gateway",
  ...readdirSync(join(WORKSPACE_ROOT, "services")).map((name) => `services/${name}`),
];
/** Workspace folders that images are built from. */
export const imageFolders = [...processFolders, "packages/operator"];

/** All packages in a production install of a workspace folder: versions by name. Our own packages have no versions. */
export function productionPackages(folder: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const walked = new Set<string>();
  const add = (name: string, version: string, from: string) => {
    const versions = found.get(name) ?? new Set();
    found.set(name, versions);
    if (version.startsWith("link:")) return walkFolder(join(from, version.slice("link:".length)));
    // An alias has the real package's name in its version.
    const key = version in lockfile.snapshots ? version : `${name}@${version}`;
    versions.add(/@([^@(]+)(\(|$)/.exec(key)![1]!);
    walkPackage(key);
  };
  const walkFolder = (path: string) => {
    if (walked.has(path)) return;
    walked.add(path);
    const { dependencies, optionalDependencies } = lockfile.importers[path]!;
    for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies }))
      add(name, version, path);
  };
  const walkPackage = (key: string) => {
    if (walked.has(key)) return;
    walked.add(key);
    const { dependencies, optionalDependencies } = lockfile.snapshots[key]!;
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) add(name, version, "");
  };
  walkFolder(folder);
  return found;
}
