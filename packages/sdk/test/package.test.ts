import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packPackage } from "../build/pack.ts";

const open = new AsyncDisposableStack();
let folder: string;
let tarball: Buffer<ArrayBuffer>;
beforeAll(async () => {
  ({ path: folder } = open.use(await mkdtempDisposable(join(tmpdir(), "canvass-sdk-"))));
  tarball = await readFile(await packPackage(folder));
});
afterAll(() => open.disposeAsync());

test("publint finds nothing in the packed package", async () => {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test("its types are right for every kind of resolution", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  expect(analysis).toMatchObject({ types: { kind: "included" }, problems: [] });
  expect(
    Object.keys(analysis.types && "entrypoints" in analysis ? analysis.entrypoints["."]!.resolutions : {}),
  ).toEqual(["node10", "node16-cjs", "node16-esm", "bundler"]);
});

test("it needs one package, and holds neither sources nor tests", async () => {
  const manifest = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual(["standardwebhooks"]);
  expect(manifest).not.toHaveProperty("private");
  const files = createPackageFromTarballData(tarball).listFiles();
  expect(files).toContain("/node_modules/@canvass/sdk/README.md");
  expect(files.filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name))).toEqual([]);
});

test("a browser loads all of it, compressed in less than 40 KB", async () => {
  const unresolved: string[] = [];
  await using bundle = await rolldown({
    input: join(folder, "package/esm/src/index.js"),
    platform: "browser",
    resolve: { alias: { standardwebhooks: import.meta.resolve("standardwebhooks").replace("file://", "") } },
    onLog: (_level, { message }) => void unresolved.push(message),
  });
  const { output } = await bundle.generate({ minify: true });
  expect(unresolved).toEqual([]);
  expect(output.map(({ type }) => type)).toEqual(["chunk"]);
  const [{ code }] = output;
  expect(code).not.toMatch(/["']node:|require\(/);
  const size = gzipSync(code).length;
  expect(size).toBeLessThan(40 * 1024);
  // The README tells it.
  const readme = await readFile(join(folder, "package/README.md"), "utf8");
  expect(Math.ceil(size / 1024)).toBeLessThanOrEqual(Number(/takes (\d+) KB/.exec(readme)![1]));
});
