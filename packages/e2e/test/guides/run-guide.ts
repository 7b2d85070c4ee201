import { waitFor } from "@canvass/testing";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { codeBlocks, filesOf } from "./code-blocks.ts";
import type { Shell } from "./shell.ts";
import { patternOf } from "./shown-output.ts";

/**
 * Runs all code blocks of a guide in order, as a reader does: saves files, runs commands, and compares what they print
 * with the output shown. Throws for a block that is none of that, and for a file that no command uses. Returns how many
 * blocks there are.
 */
export async function runGuide(markdown: string, folder: string, shell: Shell): Promise<number> {
  const blocks = codeBlocks(markdown);
  const files = filesOf(blocks);
  for (const [name, content] of files) await writeFile(join(folder, name), content);
  const commands = blocks.filter(({ language }) => language === "sh").map(({ code }) => code);
  const unused = [...files.keys()].filter((name) => !commands.some((command) => command.includes(name)));
  expect(unused, "files that no command uses").toEqual([]);

  const terminals: (() => Promise<string>)[] = [];
  let printed: string | undefined;
  for (const { language, name, code } of blocks) {
    const before = printed;
    printed = undefined;
    if (files.has(name)) continue;
    if (name === "output" && before !== undefined) expect(before.trimEnd()).toMatch(patternOf(code));
    else if (name === "second-terminal" && language === "text") await untilShown(terminals, patternOf(code, "m"));
    else if (name === "second-terminal" && language === "sh") terminals.push(await shell.start(code));
    else if (name === "" && language === "sh") printed = await shell.run(code);
    else throw new Error(`neither run nor output: ${language} ${name}\n${code}`);
  }
  return blocks.length;
}

/** Waits until a terminal shows these lines. */
const untilShown = (terminals: (() => Promise<string>)[], lines: RegExp) =>
  waitFor(
    async () => {
      const shown = await Promise.all(terminals.map((printed) => printed()));
      if (shown.some((text) => lines.test(text))) return true;
      throw new Error(`the terminals show\n${shown.join("\n---\n")}`);
    },
    { describe: `a terminal to show ${lines}` },
  );
