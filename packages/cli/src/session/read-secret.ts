import { text } from "node:stream/consumers";
import { UsageError } from "@canvass/command-line";

/** Returns a token or secret from the first line of standard input. Throws UsageError if there is none. */
export async function readSecret(what: string, command: string): Promise<string> {
  const [line = ""] = (await text(process.stdin)).trim().split("\n");
  if (line === "")
    throw new UsageError(`Standard input has no ${what}; write it there, as in: ${command} < ${what}.txt`);
  return line.trim();
}
