import { lastLines } from "./log-file.ts";
import { createLogFormat } from "./log-line.ts";

const MOST_LINES = 15;

/** What a process said last, as a person reads it, of what its log has after the position `since`. */
export async function lastWords(name: string, logFile: string, since: number): Promise<string> {
  const lines = await lastLines(logFile, MOST_LINES, since);
  if (lines.length === 0) return "It said nothing.";
  const format = createLogFormat("trace", false);
  return `Its last words:\n${lines.map((line) => `  ${format(name, line)?.text ?? line}`).join("\n")}`;
}
