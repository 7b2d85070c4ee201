import { PROCESSES, WORKSPACE_ROOT } from "@canvass/processes";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";

/** Modules load files next to their source, so the bundle contains the path of the source. */
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

/** Replaces the content of `folder`. Node loads bundles in half the time and with 14 MiB less per process. */
export async function bundlePrograms(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const input = Object.fromEntries(PROCESSES.map(({ name, main }) => [name, join(WORKSPACE_ROOT, main)]));
  await using bundle = await rolldown({
    cwd: WORKSPACE_ROOT,
    input,
    platform: "node",
    // CommonJS packages may load their own modules in ways that a bundler cannot follow.
    resolve: { mainFields: ["module", "main"] },
    plugins: [sourcePaths],
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
}
