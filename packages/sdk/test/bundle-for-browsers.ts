import { rolldown } from "rolldown";

/** Bundles an entry as the build of a page would, minified. Throws if anything cannot be resolved. */
export async function bundleForBrowsers(entry: string): Promise<string> {
  await using bundle = await rolldown({
    input: entry,
    platform: "browser",
    resolve: { alias: { standardwebhooks: import.meta.resolve("standardwebhooks").replace("file://", "") } },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({ minify: true });
  if (output.length !== 1) throw new Error(`${output.length} files`);
  return output[0].code;
}
