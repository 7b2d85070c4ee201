import { anyFreePort, programEnvironment } from "@canvass/testing";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { installPackage } from "../sdk/install-package.ts";
import type { SharedSystem } from "../shared-system.ts";
import { codeBlocks } from "./code-blocks.ts";
import { putPython } from "./put-python.ts";
import { runGuide } from "./run-guide.ts";
import { openShell } from "./shell.ts";

const guides = globSync("gateway/docs/guides/*.md", { cwd: WORKSPACE_ROOT }).toSorted();
const programs = ["node_modules/.bin", "gateway/node_modules/.bin"].map((folder) => join(WORKSPACE_ROOT, folder));
const path = [dirname(process.execPath), ...programs, process.env["PATH"]].join(delimiter);

/** Follows every guide as its reader does. `sdk`: the packed SDK. */
export function testGuides(shared: SharedSystem, sdk: { readonly tarball: string }): void {
  test.each(guides)("who follows %s sees what it shows", async (guide) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-guide-"));
    await installPackage(folder.path, sdk.tarball);
    const bin = join(folder.path, "bin");
    await putPython(bin);
    const url = new URL(shared.demo.system.local.baseUrl).origin;
    const { token } = await shared.newWorkspace();
    const variables = { ...programEnvironment(), HOME: folder.path, CANVASS_URL: url, CANVASS_TOKEN: token };
    await using shell = openShell(folder.path, { ...variables, PATH: `${bin}${delimiter}${path}` });
    const port = String(await anyFreePort());
    const text = await readFile(join(WORKSPACE_ROOT, guide), "utf8");
    const own = text.replaceAll("{{url}}", url).replaceAll("3000", port);
    expect(await runGuide(own, folder.path, shell)).toBeGreaterThan(0);
  });

  test("the running system serves the parts of the guides' search", async () => {
    for (const path of ["/docs/search.json", "/docs/js/search.js", "/docs/js/minisearch.js"])
      expect((await fetch(new URL(path, shared.demo.system.local.baseUrl))).status, path).toBe(200);
  });

  test("a block that is neither run nor output is found, and so are an unused file and another output", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-guide-"));
    await using shell = openShell(folder.path, { PATH: path });
    const follow = (...blocks: string[]) => runGuide(blocks.join("\n\n"), folder.path, shell);
    const block = (words: string, code: string) => `\`\`\`${words}\n${code}\n\`\`\``;
    await follow(
      block("sh", "word=kept"),
      block("sh", "echo $word 1a2b3c4d5e6f7g8h"),
      block("text output", "kept 01h8x3k9q2m4a7zp"),
    );
    await expect(follow(block("python", "print(1)"))).rejects.toThrow("neither run nor output: python");
    await expect(follow(block("text output", "1"))).rejects.toThrow("neither run nor output: text");
    await expect(follow(block("js unused.mjs", "1"))).rejects.toThrow("unused.mjs");
    await expect(follow(block("sh", "echo 12"), block("text output", "1"))).rejects.toThrow("12");
    await expect(follow(block("sh", "echo no; false"))).rejects.toThrow("no");
    expect(codeBlocks("<details>\n\n- in a list\n\n  ```sh\n  ls\n  ```\n\n</details>")).toHaveLength(1);
  });
}
