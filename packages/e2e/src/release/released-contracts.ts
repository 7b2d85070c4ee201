import { WORKSPACE_ROOT } from "@canvass/processes";
import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const buf = join(WORKSPACE_ROOT, "node_modules/.bin/buf");

/** Where the contracts of the last release are kept. */
export const RELEASED = join(WORKSPACE_ROOT, "proto/released.binpb");

/**
 * The newest tag of a release, as `v0.1.0`, that `commit` comes from. Undefined where there is none, as in a clone of one commit.
 */
export async function newestRelease(commit = "HEAD", root = WORKSPACE_ROOT): Promise<string | undefined> {
  const described = run("git", ["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", commit], { cwd: root });
  return described.then(({ stdout }) => stdout.trim()).catch(() => undefined);
}

/** Writes the contracts of a commit to a file, as `buf breaking` reads them. */
export async function writeContracts(commit: string, path: string, root = WORKSPACE_ROOT): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-contracts-"));
  const archive = join(folder.path, "proto.tar");
  await run("git", ["archive", "--output", archive, commit, "proto"], { cwd: root });
  await run("tar", ["-xf", archive, "-C", folder.path]);
  await run(buf, ["build", join(folder.path, "proto"), "--exclude-source-info", "-o", path], { cwd: folder.path });
}
