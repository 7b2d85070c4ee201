import { OperationalError } from "@canvass/provisioning";
import { ask } from "./ask.ts";

/** Asks a person to agree. Throws OperationalError for any other answer than yes, UsageError without a terminal. */
export async function confirm(question: string, instead: string): Promise<true> {
  const answer = await ask(`${question} (yes/no) `, { instead });
  if (/^y(es)?$/i.test(answer)) return true;
  throw new OperationalError("Nothing was written.");
}
