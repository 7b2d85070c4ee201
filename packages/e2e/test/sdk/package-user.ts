import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemNode } from "./system-node.ts";
import { installPackage } from "./install-package.ts";
import { startProgram, type Program } from "./program.ts";
import { inWay, readmePrograms, type Way } from "./readme-programs.ts";

/** A project of a caller that has installed the SDK's tarball. */
export interface PackageUser {
  folder: string;
  /** Starts a program of the README. */
  start: (name: string, words?: string[], env?: Record<string, string>) => Program;
  /** Runs a program of the README to its end. Returns what it wrote. */
  run: (name: string, ...words: string[]) => Promise<string>;
  /** The programs that have not run. */
  left: () => string[];
}

/** Unpacks the tarball in a new folder, beside its one dependency, and writes the README's programs there. */
export async function createPackageUser(
  folder: string,
  { tarball, way, env }: { tarball: string; way: Way; env: Record<string, string> },
): Promise<PackageUser> {
  await installPackage(folder, tarball);
  const fileOf = (name: string) => (way === "import" ? name : name.replace(/\.mjs$/, ".cjs"));
  for (const [name, code] of readmePrograms) await writeFile(join(folder, fileOf(name)), inWay(code, way));
  const left = new Set(readmePrograms.keys());
  const node = systemNode();
  const start: PackageUser["start"] = (name, words = [], more = {}) => {
    left.delete(name);
    return startProgram(node, [fileOf(name), ...words], { cwd: folder, env: { ...env, ...more } });
  };
  return { folder, start, run: (name, ...words) => start(name, words).ended(), left: () => [...left] };
}
