import { WORKSPACE_ROOT } from "@canvass/processes";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Manifest } from "../../src/kubernetes/manifest.ts";
import { installations, production } from "./installations.ts";
import { moduleOf, validate } from "./models.ts";

const keyOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
const distinct = new Map(
  installations.flatMap(([, manifests]) => manifests).map((each) => [JSON.stringify(each), each]),
);
const all = [...distinct.values()];

const wrongValue = { ...production.find(({ kind }) => kind === "Deployment")!, spec: { replicas: "two" } };
const unknownField: Manifest = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "a" },
  automountToken: false,
};

test("every object of every overlay and component has the values that its schema asks for", async () => {
  await expect(validate(wrongValue)).rejects.toThrow("replicas");
  const faults = await Promise.all(
    all.map((manifest) => validate(manifest).catch((error: Error) => `${keyOf(manifest)}: ${error.message}`)),
  );
  expect(faults.filter(Boolean)).toEqual([]);
});

test("no object has a field that its schema does not know", () => {
  const faults = compile([...all, unknownField])
    .trim()
    .split(/\n(?! )/);
  expect(faults).toEqual([expect.stringMatching(/automountToken\W+ does not exist/)]);
});

/** Returns the errors of the compiler in objects as literals of their types. Other checks skip node_modules. */
function compile(manifests: readonly Manifest[]): string {
  const folder = join(import.meta.dirname, `../../node_modules/.manifests-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const options = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", target: "es2024", types: [] };
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["manifests.ts"] }));
    writeFileSync(join(folder, "manifests.ts"), manifests.map(literalOf).join("\n"));
    const tsc = join(WORKSPACE_ROOT, "node_modules/.bin/tsc");
    return spawnSync(tsc, ["-p", folder, "--pretty", "false"], { encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function literalOf(manifest: Manifest, index: number): string {
  const type = `import(${JSON.stringify(moduleOf(manifest))}).I${manifest.kind}`;
  return `export const manifest${index} = ${JSON.stringify(manifest, undefined, 1)} satisfies ${type};`;
}
