import { prettyFactory } from "pino-pretty";

/** Pino's log levels. */
export const LOG_LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity };
export type LogLevel = keyof typeof LOG_LEVELS;

/**
 * Formats one line of a process' log for a person: pino's JSON as time, level, process, message and fields; anything
 * else as it stands. Returns undefined when the line's level lies below `threshold`.
 */
export type FormatLogLine = (processName: string, line: string) => string | undefined;

export function createLogFormat(threshold: LogLevel, colorize: boolean): FormatLogLine {
  const pretty = prettyFactory({
    colorize,
    ignore: "pid,hostname,service,name,process",
    translateTime: "SYS:HH:MM:ss",
    messageFormat: "{process}: {msg}",
    singleLine: true,
  });
  return (processName, line) => {
    const record = parseRecord(line);
    if (levelOf(record) < LOG_LEVELS[threshold]) return undefined;
    if (record === undefined) return `${processName}: ${line}`;
    return pretty({ ...record, process: processName }).trimEnd();
  };
}

type LogRecord = Record<string, unknown>;

function parseRecord(line: string): LogRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as LogRecord;
  } catch {
    return undefined;
  }
}

/** Words that are no log record are shown unless everything is muted: they are what a crash says. */
function levelOf(record: LogRecord | undefined): number {
  const level = record?.["level"] ?? LOG_LEVELS.fatal;
  return typeof level === "number" ? level : (LOG_LEVELS[level as LogLevel] ?? LOG_LEVELS.info);
}
