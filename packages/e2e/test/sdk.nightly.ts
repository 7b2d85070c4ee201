import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNode } from "./sdk/system-node.ts";
import { createFreshProject } from "./sdk/fresh-project.ts";
import { startProgram } from "./sdk/program.ts";
import { shareSystem } from "./shared-system.ts";

// Installs packages of the registry, 200 MB of other runtimes among them.
const shared = await shareSystem();
const open = new AsyncDisposableStack();
let fresh: Awaited<ReturnType<typeof createFreshProject>>;
beforeAll(async () => {
  const { path } = open.use(await mkdtempDisposable(join(tmpdir(), "canvass-sdk-fresh-")));
  fresh = await createFreshProject(path);
}, 600_000);
afterAll(() => open.disposeAsync());

const runtimes: [name: string, command: () => string[]][] = [
  ["the system's Node.js", () => [systemNode()]],
  ["our Node.js", () => [process.execPath]],
  ["Deno", () => [fresh.bin(".bin/deno"), "run", "--allow-all", "--node-modules-dir=manual"]],
  ["Bun", () => [fresh.bin(".bin/bun")]],
];

test.each(runtimes)("%s runs the README's programs with what npm installed", async (_name, command) => {
  const [program = "", ...runtimeArguments] = command();
  const { token } = await shared.newWorkspace();
  const url = new URL(shared.demo.system.local.baseUrl).origin;
  const env = { CANVASS_URL: url, CANVASS_TOKEN: token, HOME: fresh.project };
  const start = (...programArguments: string[]) =>
    startProgram(program, [...runtimeArguments, ...programArguments], { cwd: fresh.project, env });
  const output = await start("quick-start.mjs").ended();
  const [, surveyId = ""] = /survey (\w+) at/.exec(output)!;
  expect(await start("answers.mjs", surveyId).ended()).toMatch(/^1 answers to 1 question\n[^]*100 %\n$/);
  expect(await start("rename.mjs", surveyId, "Supper").ended()).toBe("renamed\n");
  expect(await start("rename.mjs", surveyId, "").ended()).toContain("name");
  const [, code = ""] = /\/s\/(\S+)/.exec(output)!;
  expect(await start("respondent.mjs", code).ended()).toBe("Supper 1\n");
});

test.each(["typescript", "typescript-7"])("a strict program compiles by %s, declarations too", async (compiler) => {
  const rules = "--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck false";
  const kinds = [
    ["--module", "nodenext", "--lib", "es2022", "--types", "node"],
    ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"],
  ];
  for (const kind of kinds) {
    const compilerArguments = [
      fresh.bin(`${compiler}/bin/tsc`),
      ...rules.split(" "),
      "--target",
      "es2022",
      ...kind,
      "consumer.mts",
    ];
    const compiled = promisify(execFile)(process.execPath, compilerArguments, { cwd: fresh.project });
    const output = await compiled.catch((error: { stdout: string; stderr: string }) => error);
    expect(`${output.stdout}${output.stderr}`).toBe("");
  }
});
