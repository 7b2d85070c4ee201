import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { UsageError } from "@canvass/command-line";

/**
 * Asks a person on the terminal; the answer to a hidden question is not shown. Throws UsageError without a terminal.
 */
export async function ask(question: string, { hidden = false, instead }: { hidden?: boolean; instead: string }) {
  if (!process.stdin.isTTY) throw new UsageError(`There is no terminal to ask on; give ${instead}.`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  const stop = new AbortController();
  // In raw mode Ctrl-C comes as a key.
  lines.on("SIGINT", () => stop.abort());
  if (hidden) process.stderr.write(question);
  try {
    return (await lines.question(hidden ? "" : question, { signal: stop.signal })).trim();
  } catch (error) {
    // Ctrl-C, and Ctrl-D on an empty line.
    if (!(error instanceof Error && error.name === "AbortError")) throw error;
    throw new UsageError("Nothing was entered; nothing has changed.", { cause: error });
  } finally {
    if (hidden) process.stderr.write("\n");
    lines.close();
  }
}
