import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildPackage } from "./build-package.ts";

const run = promisify(execFile);

/** Builds the package below `folder` and packs it. Returns the path of the tarball. */
export async function packPackage(folder: string): Promise<string> {
  const built = join(folder, "package");
  await buildPackage(built);
  const { stdout } = await run("pnpm", ["pack", "--json", "--pack-destination", folder], { cwd: built });
  const { filename } = JSON.parse(stdout) as { filename: string };
  return filename;
}
