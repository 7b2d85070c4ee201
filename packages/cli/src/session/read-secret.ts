import { text } from "node:stream/consumers";
import { UsageError } from "@canvass/command-line";

/** Returns the first line of standard input, as a token is piped in. Throws UsageError if there is none. */
export async function readSecret(): Promise<string> {
  const [line = ""] = (await text(process.stdin)).trim().split("\n");
  if (line === "")
    throw new UsageError("Standard input has no token; write it there, as in: login --token-stdin < token.txt");
  return line.trim();
}
