import { prettyFactory } from "pino-pretty";

import { lastLines } from "./servers/log-file.ts";

export const LOG_LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity };
export type LogLevel = keyof typeof LOG_LEVELS;

/** Formats pino's JSON as one line, with an error's reason instead of its stack. Undefined below the threshold. */
export type FormatLogLine = (processName: string, line: string) => string | undefined;

export function createLogFormat(threshold: LogLevel, colorize: boolean): FormatLogLine {
  const pretty = prettyFactory({
    colorize,
    ignore: "pid,hostname,service,name,process,reason,cause",
    translateTime: "SYS:HH:MM:ss",
    messageFormat: "{process}: {msg}{if reason} ({reason}){end}",
    singleLine: true,
  });
  return (processName, line) => {
    const record = parseRecord(line);
    if (levelOf(record) < LOG_LEVELS[threshold]) return undefined;
    if (record === undefined) return `${processName}: ${oneLine(line)}`;
    const { err, ...fields } = record;
    const reason = reasonIn(err) ?? record["cause"];
    return pretty({ ...fields, process: processName, reason })
      .trimEnd()
      .replaceAll(KEPT_CONTROLS, " ");
  };
}

/** Control characters that pino-pretty keeps. Colours start with another one. */
const KEPT_CONTROLS = /[\t\n\u0080-\u009F]+/g;

type LogRecord = Record<string, unknown>;

function parseRecord(line: string): LogRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as LogRecord;
  } catch {
    return undefined;
  }
}

/** Text that is no log record, such as a crash, has the highest level. */
function levelOf(record: LogRecord | undefined): number {
  const level = record?.["level"] ?? LOG_LEVELS.fatal;
  return typeof level === "number" ? level : (LOG_LEVELS[level as LogLevel] ?? LOG_LEVELS.info);
}

/** Returns the last line of an error, because Prisma's errors start with the call. */
function reasonIn(error: unknown): string | undefined {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" ? message.trim().split("\n").at(-1)! : undefined;
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").trimEnd();
}

const MOST_LINES = 15;

/** Returns a sentence with up to 15 lines that the process wrote after the byte `since` of its log file. */
export async function lastWords(name: string, logFile: string, since: number): Promise<string> {
  const lines = await lastLines(logFile, MOST_LINES, since);
  if (lines.length === 0) return "It wrote nothing.";
  const format = createLogFormat("trace", false);
  return `Its last words:\n${lines.map((line) => `  ${format(name, line) ?? line}`).join("\n")}`;
}
