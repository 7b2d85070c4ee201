import { writeSync } from "node:fs";
import type { DestinationStream } from "pino";

const STDOUT = 1;
/** In bytes. */
const MOST_WAITING = 1024 * 1024;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1000;

/** Never blocks on a full disk or an unread pipe: lines wait in a bounded buffer, or are dropped and counted. */
export function logOutput(onDropped: (lines: number) => void): DestinationStream {
  // Accessing `process.stdout` makes a pipe or socket non-blocking.
  void process.stdout;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let cut = false;
  let pauseMs = FIRST_PAUSE_MS;

  function send(bytes: Buffer): Buffer | undefined {
    let rest = cut ? Buffer.concat([Buffer.from("\n"), bytes]) : bytes;
    const { length } = rest;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
      cut = false;
      return undefined;
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === "EAGAIN";
      cut = !isFull && (cut || rest.length < length);
      if (isFull) return rest;
      dropped += 1;
      return undefined;
    }
  }

  function hold(bytes: Buffer): void {
    if (waiting.length === 0) {
      process.on("exit", flush);
      setTimeout(flush, pauseMs).unref();
    }
    waiting.push(bytes);
    waitingBytes += bytes.length;
  }

  function flush(): void {
    process.off("exit", flush);
    const size = waitingBytes;
    const rest = send(Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
    pauseMs = rest?.length === size ? Math.min(2 * pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    if (rest) hold(rest);
    else tellDropped();
  }

  function tellDropped(): void {
    const lines = dropped;
    dropped = 0;
    if (lines > 0) onDropped(lines);
  }

  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (waiting.length > 0) {
        if (waitingBytes + bytes.length > MOST_WAITING) dropped += 1;
        else hold(bytes);
        return;
      }
      const before = dropped;
      const rest = send(bytes);
      if (rest) hold(rest);
      else if (dropped === before) tellDropped();
    },
  };
}
