import { WORKSPACE_ROOT } from "@canvass/processes";
import { cp, mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Holds third-party packages. Links in `node_modules` point there, and to our packages, by relative paths. */
const store = "node_modules/.pnpm";
const leftOut = new Set([".git", ".canvass", ".turbo", ".pnpm", ".cache"]);

/**
 * Copies the work tree, including generated code, to a temporary folder in which tests run. The copy shares only
 * third-party packages with the original. Disposing deletes it.
 */
export async function copyWorkspace(): Promise<AsyncDisposable & { readonly path: string }> {
  await using making = new AsyncDisposableStack();
  const folder = making.use(await mkdtempDisposable(join(tmpdir(), "canvass-copy-")));
  await cp(WORKSPACE_ROOT, folder.path, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !leftOut.has(basename(source)),
  });
  await symlink(join(WORKSPACE_ROOT, store), join(folder.path, store));
  const made = making.move();
  return { path: folder.path, [Symbol.asyncDispose]: () => made.disposeAsync() };
}
