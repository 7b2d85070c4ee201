import { pino, type LoggerOptions } from "pino";

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

const INTERVAL_MS = 10_000;
// Beyond it every line is written: what is counted here must not grow with what goes wrong.
const MOST_CAUSES = 200;

/**
 * For pino's `logMethod`: a warning or error that names an `err` is written once, stack and all. As long as the same
 * cause comes again it is counted, and a line at the end of each interval gives the count: an outage has one cause and
 * thousands of calls that meet it.
 */
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

/** A warning tells of the outside world, whose failures have codes; an error is a defect, known by its place. */
function causeOf(error: unknown, msg: string, level: number): string {
  const { name, code, stack = "" } = error as { name?: unknown; code?: unknown; stack?: string };
  const message = messageOf(error);
  if (level < pino.levels.values["error"]!) return [msg, name, typeof code === "string" ? code : message].join("\n");
  const place = /^\s+at .*$/m.exec(stack)?.[0];
  return [msg, name, message, place].join("\n");
}

/** Without what was being done: Prisma puts the call before it, in paragraphs. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim().split("\n").at(-1)! : "";
}
