import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { describe, expect, test } from "vitest";

const inside = (folder: string) => readdirSync(join(WORKSPACE_ROOT, folder)).map((name) => `${folder}/${name}`);
const folders = ["gateway", ...inside("services"), ...inside("packages")];

const own = "tsconfig.check.json";

interface Manifest {
  scripts: Record<string, string>;
}

describe.each(folders)("%s by itself", (folder) => {
  const path = join(WORKSPACE_ROOT, folder);
  const { scripts } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
  const root = relative(path, WORKSPACE_ROOT);
  const generated = `node ${root}/packages/dev-env/src/bin/prepare.ts && `;

  test("is type-checked, with its own files only", () => {
    // In these two, the generators of clients bring another `tsc`.
    const compiler = ["packages/e2e", "packages/sdk"].includes(folder)
      ? `node ${root}/node_modules/typescript/bin/tsc`
      : "tsc";
    // The linter does not know `tsconfig.check.json`: it takes the root's `tsconfig.json` and loads all types once.
    const [config, project] = folder === "packages/respondent-page" ? ["tsconfig.json", "."] : [own, own];
    expect(scripts["check"]).toBe(`${generated}${compiler} --noEmit -p ${project}`);
    expect(JSON.parse(readFileSync(join(path, config), "utf8"))).toMatchObject({
      extends: `${root}/tsconfig.json`,
      include: expect.not.arrayContaining([expect.stringMatching(/^\.\./)]),
    });
  });

  test("is linted by the rules of all", () => {
    const typescript = `oxlint --type-aware --deny-warnings && oxfmt -c ${root}/.oxfmtrc.json --check`;
    expect(scripts["lint"]).toBe(folder === "packages/proto" ? `buf lint ${root}/proto` : generated + typescript);
  });

  test("runs the tests that it has", () => {
    const tests = globSync(`${folder}/{src,test}/**/*.test.ts`, { cwd: WORKSPACE_ROOT });
    expect(scripts["test"]).toBe(
      tests.length > 0 ? `${generated}vitest run --root ${root} --project '!nightly' ${folder}/` : undefined,
    );
  });

  test("generates what it keeps", () => {
    const keeps = existsSync(join(path, "prisma/schema.prisma")) || existsSync(join(path, "buf.gen.yaml"));
    expect(keeps && scripts["generate"] === undefined).toBe(false);
  });
});
