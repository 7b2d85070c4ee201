import { WORKSPACE_ROOT } from "@canvass/processes";
import { execFile } from "node:child_process";
import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const installed = join(WORKSPACE_ROOT, "packages/sdk/node_modules");

/** Unpacks the SDK's tarball among the modules of a folder, beside its one dependency. */
export async function installPackage(folder: string, tarball: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@canvass"), { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", folder]);
  await rename(join(folder, "package"), join(modules, "@canvass/sdk"));
  await symlink(join(installed, "standardwebhooks"), join(modules, "standardwebhooks"));
}
