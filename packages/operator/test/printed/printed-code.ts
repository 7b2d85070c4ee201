import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";

/** What a page prints as code: `lines` of fences as a shell reads them, `spans` of sentences. */
export type PrintedCode = { page: string; lines: string[]; spans: string[] };

/** The code of all pages for operators. */
export function printedCode(): PrintedCode[] {
  return globSync("deploy/**/*.md", { cwd: WORKSPACE_ROOT }).map((page) => {
    const text = readFileSync(join(WORKSPACE_ROOT, page), "utf8");
    const lines = [...text.matchAll(/^ *```.*\n([\s\S]*?)^ *```$/gm)].flatMap(([, fence]) => shellLines(fence!));
    const sentences = text.replaceAll(/^ *```.*\n[\s\S]*?^ *```$/gm, "");
    const spans = [...sentences.matchAll(/`([^`]+)`/g)].map(([, span]) => span!.replaceAll(/\s+/g, " "));
    return { page, lines, spans };
  });
}

/** Where a prompt is shown, the other lines are output. */
function shellLines(fence: string): string[] {
  const lines = fence
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.trim());
  const typed = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  return typed.length > 0 ? typed : lines.filter((line) => line !== "");
}

/** Words of a shell's line, without quotes; `<id>` is a word. Ends before `#`, `;`, `&` and `|`. */
export function shellWords(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|<[^>]*>|[^\s"'<])+/g) ?? [];
  const end = words.findIndex((word) => /^[#;&|>]/.test(word));
  return words.slice(0, end === -1 ? undefined : end).map((word) => word.replaceAll(/["']/g, ""));
}

/** The words after `canvass`, however it is called; undefined for another program. */
export function canvassWords(code: string): string[] | undefined {
  const [, rest] = /(?:^|pnpm@12 )canvass (.*)$/.exec(code) ?? /\brun --rm operator main\.ts (.*)$/.exec(code) ?? [];
  return rest === undefined ? undefined : shellWords(rest);
}
