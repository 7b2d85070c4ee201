import { seconds } from "./terminal.ts";
import type { ShownLine } from "./log-line.ts";

const INTERVAL_MS = 10_000;

type Repeats = { times: number; processes: Set<string> };

/** Prints a repeated fault once per interval, with its count and processes. Disposing prints remaining counts. */
export function showFaultsOnce(
  print: (text: string) => void,
  intervalMs = INTERVAL_MS,
): Disposable & { show: (processName: string, line: ShownLine) => void } {
  const open = new Map<string, { repeats: Repeats; timer: NodeJS.Timeout }>();

  const printRepeats = (fault: string, { times, processes }: Repeats) =>
    print(`${fault}: ${times} more in ${seconds(intervalMs)} (${[...processes].join(", ")})`);
  const endInterval = (fault: string) => {
    const entry = open.get(fault)!;
    if (entry.repeats.times === 0) {
      clearInterval(entry.timer);
      open.delete(fault);
      return;
    }
    printRepeats(fault, entry.repeats);
    entry.repeats = { times: 0, processes: new Set() };
  };
  return {
    show(processName, { text, fault, times }) {
      const entry = fault === undefined ? undefined : open.get(fault);
      if (entry !== undefined) {
        entry.repeats.times += times;
        entry.repeats.processes.add(processName);
        return;
      }
      print(text);
      if (fault === undefined) return;
      const timer = setInterval(() => endInterval(fault), intervalMs).unref();
      open.set(fault, { repeats: { times: 0, processes: new Set() }, timer });
    },
    [Symbol.dispose]() {
      for (const [fault, { repeats, timer }] of open) {
        clearInterval(timer);
        if (repeats.times > 0) printRepeats(fault, repeats);
      }
      open.clear();
    },
  };
}
