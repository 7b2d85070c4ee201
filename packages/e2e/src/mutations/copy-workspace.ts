import { WORKSPACE_ROOT } from "@canvass/processes";
import { cp, mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Where packages of others lie; links of `node_modules` lead there, and to our packages, by relative paths. */
const store = "node_modules/.pnpm";
const left = new Set([".git", ".canvass", ".turbo", ".pnpm", ".cache"]);

/**
 * Copies the work tree as it is, with generated code, to a temporary folder in which tests run. It shares nothing with the
 * original but packages of others. Disposing deletes it.
 */
export async function copyWorkspace(): Promise<AsyncDisposable & { readonly path: string }> {
  await using making = new AsyncDisposableStack();
  const folder = making.use(await mkdtempDisposable(join(tmpdir(), "canvass-copy-")));
  await cp(WORKSPACE_ROOT, folder.path, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !left.has(basename(source)),
  });
  await symlink(join(WORKSPACE_ROOT, store), join(folder.path, store));
  const made = making.move();
  return { path: folder.path, [Symbol.asyncDispose]: () => made.disposeAsync() };
}
