import { text } from "node:stream/consumers";
import { UsageError } from "@canvass/command-line";

/** Returns the first line of standard input, as a token or secret is piped in. Throws UsageError if there is none. */
export async function readSecret(what: string, command: string): Promise<string> {
  const [line = ""] = (await text(process.stdin)).trim().split("\n");
  if (line === "")
    throw new UsageError(`Standard input has no ${what}; write it there, as in: ${command} < ${what}.txt`);
  return line.trim();
}
