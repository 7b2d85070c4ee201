import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packPackage } from "../../../sdk/build/pack.ts";
import { readmePrograms } from "./readme-programs.ts";

const run = promisify(execFile);

/** Runtimes and compilers that callers may use, installed from npm. */
const tools = ["deno@2.9.6", "bun@1.4.5", "typescript@5.9.3", "typescript-7@npm:typescript@7.0.2", "@types/node@20"];

/** Installs the packed SDK and these tools in an empty project. Adds the README's programs. */
export async function createFreshProject(folder: string): Promise<{ project: string; bin: (name: string) => string }> {
  const tarball = await packPackage(folder);
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), `{ "private": true, "type": "module" }\n`);
  await run("npm", ["install", "--no-audit", "--no-fund", tarball, ...tools], { cwd: project });
  for (const [name, code] of readmePrograms) await writeFile(join(project, name), code);
  await copyFile(join(import.meta.dirname, "consumer.mts"), join(project, "consumer.mts"));
  return { project, bin: (name) => join(project, "node_modules", name) };
}
