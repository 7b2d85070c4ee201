import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import type { TestServer } from "./test-server.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Modules look for files beside themselves, where their source is. */
const sourcePaths: Plugin = {
  name: "source-paths",
  transform: {
    filter: { code: /import\.meta\.(?:url|dirname)/ },
    handler: (code, id) => ({
      code: code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(id))),
      map: null,
    }),
  },
};

/**
 * Joins the modules of gateway and services into few files, which Node loads in less than half of the time. The url is the
 * folder of `<path of the main module>.mjs`. Disposing deletes it.
 */
export async function bundlePrograms(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "canvass-programs-"));
  const mains = globSync("{gateway,services/*}/src/main.ts", { cwd: root });
  const input = Object.fromEntries(mains.map((main) => [main.replace(/\.ts$/, ""), join(root, main)]));
  await using bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    // A package's CommonJS may look for its own modules in ways that no bundler follows.
    resolve: { mainFields: ["module", "main"] },
    plugins: [sourcePaths],
    // Warnings are about packages.
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  return { url: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
