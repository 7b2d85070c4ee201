import { once } from "node:events";
import type { Progress } from "./progress.ts";

/** Shows a link, and in a terminal waits for Ctrl-C so that somebody can answer. Elsewhere nobody could. */
export async function stayOpen(url: string, progress: Progress, isTerminal = process.stdout.isTTY): Promise<void> {
  progress.say(`\nAnswer the first survey yourself: ${url}`);
  if (!isTerminal) return;
  progress.say("The system runs until Ctrl-C.");
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
}
