import { writeSync } from "node:fs";
import type { DestinationStream } from "pino";

const STDOUT = 1;

/**
 * Writes lines to standard output at once, and drops those that cannot be written: a full disk or pipe must not end a
 * process, nor keep it from ending.
 */
export function logOutput(): DestinationStream {
  let cut = false;
  return {
    write(line) {
      let rest = Buffer.from(cut ? `\n${line}` : line);
      const whole = rest.length;
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
        cut = false;
      } catch {
        cut ||= rest.length < whole;
      }
    },
  };
}
