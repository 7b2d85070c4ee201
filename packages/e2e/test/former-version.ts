import { WORKSPACE_ROOT } from "@canvass/processes";
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { newestRelease, RELEASED } from "../src/release/released-contracts.ts";

const run = promisify(execFile);

/**
 * The version to upgrade from: `CANVASS_FORMER_VERSION`, else the newest release before this commit, else the commit
 * that stored the contracts of the last release. Undefined if git has none, as in a clone of one commit.
 */
export async function findFormerVersion(root = WORKSPACE_ROOT): Promise<string | undefined> {
  const commit = (name: string) => git(root, "rev-parse", "--verify", `${name}^{commit}`);
  const wanted = process.env["CANVASS_FORMER_VERSION"];
  if (wanted) return commit(wanted);
  const tagged = await newestRelease("HEAD~1", root);
  const kept = ["log", "-1", "--format=%H", "HEAD~1", "--", relative(WORKSPACE_ROOT, RELEASED)];
  return tagged ?? ((await git(root, ...kept).catch(() => "")) || undefined);
}

/** Checks out `version` into `folder`, ready to run as a clone. */
export async function checkOut(version: string, folder: string): Promise<void> {
  await mkdir(folder);
  const archive = join(folder, "version.tar");
  await git(WORKSPACE_ROOT, "archive", "--output", archive, version);
  await run("tar", ["-xf", archive, "-C", folder]);
  const there = { cwd: folder, env: { ...process.env, TURBO_CACHE_DIR: join(WORKSPACE_ROOT, ".turbo/cache") } };
  await run("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"], there);
  await run("npx", ["-y", "pnpm@12", "generate"], there);
}

async function git(root: string, ...args: string[]): Promise<string> {
  const { stdout } = await run("git", args, { cwd: root });
  return stdout.trim();
}
