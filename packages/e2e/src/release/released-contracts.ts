import { WORKSPACE_ROOT } from "@canvass/processes";
import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const buf = join(WORKSPACE_ROOT, "node_modules/.bin/buf");

/** Holds the contracts of the last release. */
export const RELEASED = join(WORKSPACE_ROOT, "proto/released.binpb");

/**
 * The newest release tag, such as `v0.1.0`, among `commit` and its ancestors. Undefined if there is none, as in a clone
 * of one commit.
 */
export async function newestRelease(commit = "HEAD", root = WORKSPACE_ROOT): Promise<string | undefined> {
  const described = run("git", ["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", commit], { cwd: root });
  return described.then(({ stdout }) => stdout.trim()).catch(() => undefined);
}

/** Writes a commit's contracts to a file that `buf breaking` can read. */
export async function writeContracts(commit: string, path: string, root = WORKSPACE_ROOT): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-contracts-"));
  const archive = join(folder.path, "proto.tar");
  await run("git", ["archive", "--output", archive, commit, "proto"], { cwd: root });
  await run("tar", ["-xf", archive, "-C", folder.path]);
  await run(buf, ["build", join(folder.path, "proto"), "--exclude-source-info", "-o", path], { cwd: folder.path });
}
