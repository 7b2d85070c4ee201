import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { billOfMaterials } from "../src/licences/bill-of-materials.ts";

const read = (file: string) => readFileSync(join(WORKSPACE_ROOT, file), "utf8");

interface Lockfile {
  importers: Record<string, Record<string, Record<string, { specifier: string }>>>;
  packages: Record<string, { resolution: Record<string, unknown> }>;
}
const lockfile = parse(read("pnpm-lock.yaml")) as Lockfile;
const workspace = parse(read("pnpm-workspace.yaml")) as {
  catalog: Record<string, string>;
  allowBuilds: Record<string, boolean>;
} & Record<string, unknown>;

describe("the bill of materials", () => {
  interface Component {
    group?: string;
    name: string;
    version: string;
  }
  let text: string;
  let components: string[];
  beforeAll(() => {
    text = billOfMaterials();
    components = (JSON.parse(text) as { components: Component[] }).components.map(
      ({ group, name, version }) => `${group ? `${group}/` : ""}${name} ${version}`,
    );
  });

  test("is CycloneDX by its schema", async () => {
    expect(JSON.parse(text).specVersion).toBe(Spec.Version.v1dot7);
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot7).validate(text)).toBeNull();
  });

  test("lists the packages of the page of licences, and our own", () => {
    const rows = read(".github/licences.md").matchAll(/^\| ([@a-z]\S*) \| (\d\S*(?:, \S+)*) \|/gm);
    const licensed = [...rows].flatMap(([, name, versions]) => versions!.split(", ").map((each) => `${name} ${each}`));
    expect(licensed.length).toBeGreaterThan(100);
    expect(components.filter((each) => !each.startsWith("@canvass/")).toSorted()).toEqual(licensed.toSorted());
    const { version } = JSON.parse(read("packages/rpc/package.json")) as { version: string };
    expect(components).toContain(`@canvass/rpc ${version}`);
  });
});

describe("what an install brings, without asking anybody", () => {
  const exact = /^(npm:(@[^@/]+\/)?[^@/]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

  test("every dependency names one version, a catalog's or a folder of ours", () => {
    const specifiers = Object.entries(lockfile.importers).flatMap(([folder, kinds]) =>
      Object.values(kinds).flatMap((kind) =>
        Object.entries(kind).map(([name, { specifier }]) => ({ name: `${folder}: ${name}`, specifier })),
      ),
    );
    const pinned = (specifier: string) => exact.test(specifier) || ["workspace:*", "catalog:"].includes(specifier);
    expect(specifiers.length).toBeGreaterThan(100);
    expect(specifiers.filter(({ specifier }) => !pinned(specifier))).toEqual([]);
    expect(Object.entries(workspace.catalog).filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  test("every package is a release of the registry, with the digest of its content", () => {
    const resolutions = Object.entries(lockfile.packages);
    const sealed = ({ integrity, ...others }: Record<string, unknown>) =>
      /^sha512-[\w+/]{86}==$/.test(String(integrity)) && Object.keys(others).length === 0;
    expect(resolutions.filter(([, { resolution }]) => !sealed(resolution)).map(([name]) => name)).toEqual([]);
  });

  // pnpm itself asks the registry when each version of the lock file was published, and refuses the younger ones.
  test("a version is installed a day after its publication at the earliest, and none is excepted", () => {
    expect(workspace["minimumReleaseAge"]).toBeGreaterThanOrEqual(1_440);
    const loosening = [
      "minimumReleaseAgeExclude",
      "minimumReleaseAgeStrict",
      "minimumReleaseAgeIgnoreMissingTime",
      "trustLockfile",
    ];
    expect(loosening.filter((name) => name in workspace)).toEqual([]);
  });

  test("every package with an install script is allowed or denied by name", () => {
    const manifests = globSync("node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json", { cwd: WORKSPACE_ROOT });
    const scripted = new Set<string>();
    for (const file of manifests) {
      const { name, scripts = {} } = JSON.parse(read(file)) as { name: string; scripts?: Record<string, string> };
      if (["preinstall", "install", "postinstall"].some((script) => script in scripts)) scripted.add(name);
    }
    expect(scripted.size).toBeGreaterThan(0);
    expect([...scripted].filter((name) => !(name in workspace.allowBuilds))).toEqual([]);
  });
});
