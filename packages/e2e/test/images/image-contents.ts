import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Megabytes of an image's program with its packages, without Node. */
export function programMegabytes(tree: string): number {
  return bytesIn(join(tree, "app")) / 1e6;
}

/** Total size of the files below a folder. Does not follow links. */
function bytesIn(folder: string): number {
  const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return bytesIn(path);
    return entry.isFile() ? statSync(path).size : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Packages in an image: installed ones and our own. */
export function packagesIn(tree: string): string[] {
  const app = join(tree, "app");
  const installed = readdirSync(join(app, "node_modules/.pnpm"))
    .filter((name) => name !== "node_modules" && !name.endsWith(".yaml"))
    .map((name) => name.replace("+", "/").replace(/(.)@.*$/, "$1"));
  return [...installed, ...readdirSync(join(app, "packages")).map((name) => `@canvass/${name}`)];
}
