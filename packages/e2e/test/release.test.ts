import { WORKSPACE_ROOT } from "@canvass/processes";
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newestRelease, RELEASED, writeContracts } from "../src/release/released-contracts.ts";
import { findFormerVersion } from "./former-version.ts";

const read = (path: string): string => readFileSync(join(WORKSPACE_ROOT, path), "utf8");
const release = await newestRelease();
const noRelease =
  release === undefined
    ? {
        skip: true,
        meta: {
          skipReason: "no release is tagged here: `git fetch --tags`, and `git tag v<version>` at the first release",
        },
      }
    : {};

test("the stored contracts are those of the newest release", noRelease, async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "canvass-release-"));
  const built = join(folder.path, "release.binpb");
  await writeContracts(release!, built);
  const hint = `proto/released.binpb is not of ${release}: pnpm keep-released ${release}`;
  expect(readFileSync(RELEASED).equals(readFileSync(built)), hint).toBe(true);
});

test("one version stands in every package, in the images' names and labels, and first in the change log", () => {
  const files = globSync("{gateway,services/*,packages/*}/package.json", { cwd: WORKSPACE_ROOT });
  const versions = files.map((file) => (JSON.parse(read(file)) as { version: string }).version);
  const tags = read("deploy/compose/compose.yaml").matchAll(/\$\{CANVASS_VERSION:-([^}]+)\}/g);
  const [, labelled] = /^ARG VERSION=(.+)$/m.exec(read("deploy/docker/Dockerfile"))!;
  const [, logged] = /^## \[(\d[^\]]*)\]/m.exec(read(".github/CHANGELOG.md"))!;
  expect(new Set([...versions, ...[...tags].map(([, tag]) => tag), labelled, logged])).toEqual(new Set([versions[0]]));
});

test("an upgrade starts from the newest earlier tag, or from the commit that stored contracts; those of a tag can be stored", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "canvass-tags-"));
  const root = folder.path;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: root, stdio: "pipe" })
      .toString()
      .trim();
  const commit = (field: string): string => {
    writeFileSync(join(root, "proto/a.proto"), `syntax = "proto3"; message A { string ${field} = 1; }`);
    git("add", ".");
    git("commit", "-qm", field);
    return git("rev-parse", "HEAD");
  };
  git("init", "-q");
  mkdirSync(join(root, "proto"));
  cpSync(join(WORKSPACE_ROOT, "proto/buf.yaml"), join(root, "proto/buf.yaml"));
  const first = commit("first_field");
  writeFileSync(join(root, "proto/released.binpb"), "contracts");
  expect([await newestRelease("HEAD", root), await findFormerVersion(root)]).toEqual([undefined, undefined]);
  const second = commit("second_field");
  commit("later_field");
  expect(await findFormerVersion(root)).toBe(second);
  git("tag", "v0.1.0", first);
  git("tag", "trial", second);
  commit("third_field");
  expect([await newestRelease("HEAD", root), await findFormerVersion(root)]).toEqual(["v0.1.0", "v0.1.0"]);
  git("tag", "v0.2.0");
  expect([await newestRelease("HEAD", root), await findFormerVersion(root)]).toEqual(["v0.2.0", "v0.1.0"]);
  const kept = join(root, "kept.binpb");
  await writeContracts("v0.1.0", kept, root);
  expect(readFileSync(kept).includes("first_field")).toBe(true);
});
