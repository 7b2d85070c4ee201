import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { expect, test } from "vitest";
import type { SharedSystem } from "../shared-system.ts";

const between = "-- next block --\n";
const withoutIds = (text: string): string => text.replaceAll(/\b[0-9a-z]{16}\b/g, "<id>");

/** The code blocks below a heading, in order. */
async function blocksOf(readme: string, heading: string): Promise<{ language: string; code: string }[]> {
  const text = await readFile(join(WORKSPACE_ROOT, readme), "utf8");
  const section = text.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  const blocks = section.matchAll(/^```(?<language>\w+)\n(?<code>.*?)^```$/gms);
  return [...blocks].map(({ groups }) => ({ language: groups!["language"]!, code: groups!["code"]! }));
}

/** The line of the root README that sets the address and the headers. */
async function firstLine(baseUrl: string): Promise<string> {
  const [block] = await blocksOf("README.md", "Five lines with curl");
  const [line] = block!.code.split("\n");
  const own = line!.replace("http://127.0.0.1:8080/api/v1", baseUrl);
  expect(own).not.toBe(line);
  return `${own}\n`;
}

/** Tests the questionnaire of the survey service's README. */
export function testReadmeQuestionnaire(shared: SharedSystem): void {
  test("the ten requests of the survey service's README, pasted into a shell, print what stands below them", async () => {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "canvass-readme-"));
    cleanup.defer(() => rm(folder, { recursive: true }));
    await symlink(shared.demo.dataDir, join(folder, ".canvass"));

    const blocks = await blocksOf("services/survey/README.md", "A questionnaire in ten requests");
    const [helper, ...requests] = blocks.filter(({ language }) => language === "sh").map(({ code }) => code);
    const shown = blocks.filter(({ language }) => language === "js").map(({ code }) => code);
    expect(requests.map((code) => code.match(/\bcurl /g)?.length)).toEqual(Array.from({ length: 10 }, () => 1));

    const script =
      (await firstLine(shared.demo.system.local.baseUrl)) + helper! + requests.join(`printf -- '${between}'\n`);
    const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
    const env = { ...process.env, PATH: path, NO_COLOR: "1", FORCE_COLOR: undefined };
    const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", script], {
      cwd: folder,
      env,
    });
    expect(stderr).toBe("");
    expect(stdout.split(between).map(withoutIds)).toEqual(shown.map(withoutIds));
  });
}
