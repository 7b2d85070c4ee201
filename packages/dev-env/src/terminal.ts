import { styleText } from "node:util";

import type { ProgressEvent } from "./progress.ts";

export type Terminal = Disposable & {
  print: (line: string) => void;
  onProgress: (event: ProgressEvent) => void;
};

export type TerminalStream = { write: (text: string) => unknown; isTTY?: boolean; columns?: number };

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 90;
const CLEAR_LINE = "\r\u001B[2K";

/** Shows finished steps and, on a terminal, a spinner. Use `print` for all other output. */
export function createTerminal(stream: TerminalStream, now: () => number = () => performance.now()): Terminal {
  const underWay = new Map<string, { since: number; note: string }>();
  let frame = 0;
  let spinning: NodeJS.Timeout | undefined;

  const spinner = () => {
    const oldest = Math.min(...[...underWay.values()].map(({ since }) => since));
    const steps = [...underWay].map(([title, { note }]) => (note ? `${title} (${note})` : title)).join(", ");
    const text = `${FRAMES[frame++ % FRAMES.length]} ${steps} … ${Math.floor((now() - oldest) / 1000)} s`;
    return text.slice(0, (stream.columns ?? 80) - 1);
  };
  const redraw = () => {
    if (underWay.size > 0) stream.write(CLEAR_LINE + spinner());
  };
  const print = (line: string) => {
    stream.write(`${spinning === undefined ? "" : CLEAR_LINE}${line}\n`);
    if (spinning !== undefined) redraw();
  };
  const spin = () => {
    if (!stream.isTTY) return;
    if (underWay.size > 0) spinning ??= setInterval(redraw, FRAME_MS);
    else stopSpinning();
  };
  const stopSpinning = () => {
    if (spinning === undefined) return;
    clearInterval(spinning);
    spinning = undefined;
    stream.write(CLEAR_LINE);
  };
  return {
    print,
    onProgress(event) {
      const { title } = event;
      if (event.type === "begun") underWay.set(title, { since: now(), note: "" });
      else if (event.type === "note") {
        const step = underWay.get(title);
        if (step !== undefined) step.note = event.note;
        if (!stream.isTTY) print(`  ${title}: ${event.note} …`);
      } else if (event.type === "abandoned") {
        underWay.delete(title);
      } else {
        underWay.delete(title);
        const mark = event.type === "done" ? styleText("green", "✔") : styleText("red", "✘");
        print(`${mark} ${title.padEnd(16)} ${formatSeconds(event.ms)}`);
      }
      spin();
    },
    [Symbol.dispose]: stopSpinning,
  };
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
