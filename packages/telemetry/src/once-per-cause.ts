import { pino, type LoggerOptions } from "pino";

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

const INTERVAL_MS = 10_000;
// While this many causes are counted, every line of another cause is written, so that memory stays bounded.
const MOST_CAUSES = 200;

/** A `logMethod` hook. Logs an error once, then its repetitions per interval: one outage fails thousands of calls. */
export function oncePerCause(intervalMs = INTERVAL_MS): LogMethod {
  const open = new Set<string>();
  const repeats = new Map<string, number>();
  return function (args, method, level) {
    const [about, msg] = args as unknown[];
    const error = (about as { err?: unknown } | null)?.err;
    const isCounted =
      error !== undefined && level >= pino.levels.values["warn"]! && level < pino.levels.values["fatal"]!;
    const cause = isCounted ? causeOf(error, String(msg), level) : "";
    if (open.has(cause)) {
      repeats.set(cause, (repeats.get(cause) ?? 0) + 1);
      return;
    }
    method.apply(this, args);
    if (!isCounted || open.size >= MOST_CAUSES) return;
    open.add(cause);
    const timer = setInterval(() => {
      const times = repeats.get(cause);
      if (times !== undefined) {
        const summary = { cause: messageOf(error), repeats: times, seconds: intervalMs / 1000 };
        method.apply(this, [summary, String(msg)] as unknown as typeof args);
        repeats.delete(cause);
        return;
      }
      open.delete(cause);
      clearInterval(timer);
    }, intervalMs).unref();
  };
}

/**
 * Lines with the same text have one cause if their errors have the same name and, for warnings (failures elsewhere),
 * the same code, or message where there is no code; for errors (defects) the same message and top stack frame.
 */
function causeOf(error: unknown, msg: string, level: number): string {
  const { name, code, stack = "" } = error as { name?: unknown; code?: unknown; stack?: string };
  const message = messageOf(error);
  if (level < pino.levels.values["error"]!) return [msg, name, typeof code === "string" ? code : message].join("\n");
  const place = /^\s+at .*$/m.exec(stack)?.[0];
  return [msg, name, message, place].join("\n");
}

/** The last line of the message: Prisma puts the call first, in paragraphs. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim().split("\n").at(-1)! : "";
}
