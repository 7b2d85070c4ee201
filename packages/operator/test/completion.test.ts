import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { expect, test } from "vitest";
import { runCanvass } from "../src/index.ts";

const run = promisify(execFile);
const bin = join(WORKSPACE_ROOT, "node_modules/.bin");
const env = { PATH: `${bin}:${process.env["PATH"]}`, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] };

/** Bash's completions of the last word, by the script of `canvass completion bash`. */
async function completionsOf(...words: string[]): Promise<string[]> {
  // The second line replaces the package bash-completion.
  const script = `source <(canvass completion bash)
    _get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}"); cur="\${COMP_WORDS[-1]}"; }
    compopt() { :; }
    COMP_WORDS=(canvass "$@")
    $(complete -p canvass | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["--norc", "-c", script, "bash", ...words], { env });
  return stdout.split("\n").filter((line) => line !== "");
}

test.each([
  [["wor"], ["workspace"]],
  [["workspace", ""], expect.arrayContaining(["create", "set-plan"])],
  [["token", "issue", "--sc"], ["--scopes"]],
  [["workspace", "set-plan", "--plan", "p"], ["professional"]],
])("bash completes commands, options and values: %j", async (words, completions) => {
  expect(await completionsOf(...words)).toEqual(completions);
});

test.each(["bash", "zsh", "fish"])("there is a script for %s", async (shell) => {
  const { stdout } = await run("canvass", ["completion", shell], { env });
  expect(stdout).toContain("canvass");
});

test.each([
  [[], "missing required argument 'shell'"],
  [["bash", "zsh"], "too many arguments for 'completion'"],
])("a wrong command line is told as such: completion %j", async (words, reason) => {
  let text = "";
  const write = (chunk: string) => void (text += chunk);
  const code = await runCanvass(["completion", ...words], {}, { out: write, err: write });
  expect([code, text]).toEqual([2, expect.stringMatching(/; see canvass completion --help\.\n$/)]);
  expect(text).toContain(reason);
});
