import { PROCESSES, WORKSPACE_ROOT } from "@canvass/processes";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";

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
 * Joins the modules of gateway and services into few files in `folder`, instead of what was there. Node loads them in half
 * of the time, and a process of them holds 14 MiB less.
 */
export async function bundlePrograms(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const input = Object.fromEntries(PROCESSES.map(({ name, main }) => [name, join(WORKSPACE_ROOT, main)]));
  await using bundle = await rolldown({
    cwd: WORKSPACE_ROOT,
    input,
    platform: "node",
    // A package's CommonJS may look for its own modules in ways that no bundler follows.
    resolve: { mainFields: ["module", "main"] },
    plugins: [sourcePaths],
    // Warnings are about packages.
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
}
