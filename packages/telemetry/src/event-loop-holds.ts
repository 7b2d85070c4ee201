import { Gauge, Histogram, type Registry } from "prom-client";

/** Milliseconds between two looks. A hold is measured short by at most as much. */
const PERIOD_MS = 10;

/** Milliseconds for which nothing may hold an event loop. One of the histogram's buckets. */
export const LONGEST_HOLD_MS = 50;

/**
 * Measures from now on for how long the process holds its own event loop: a timer that comes late shows a turn of the
 * loop that took long, and the CPU time of the main thread tells whether the process itself worked through it or waited
 * for a processor on a busy machine. A hold is the lesser of the two. It contains garbage collection on the main
 * thread: for those who wait it makes no difference what a process did. Begin when the process is ready, since loading
 * and compiling its modules holds nobody up.
 */
export function watchEventLoop(registry: Registry): Disposable {
  const histogram = new Histogram({
    name: "nodejs_eventloop_hold_seconds",
    help: "Turns of the event loop by the CPU time the main thread spent in them, as far as they made a timer late",
    buckets: [0.005, 0.01, 0.025, LONGEST_HOLD_MS / 1000, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const delay = new Histogram({
    name: "nodejs_eventloop_delay_seconds",
    help: "How late a timer came, for whatever reason: the process's own work or a busy machine",
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const longest = new Gauge({
    name: "nodejs_eventloop_hold_longest_seconds",
    help: "The longest hold since the process was ready",
    registers: [registry],
  });
  let longestHold = 0;
  let due = performance.now() + PERIOD_MS;
  let cpu = process.threadCpuUsage();
  let timer = setTimeout(look, PERIOD_MS).unref();

  function look(): void {
    const { user, system } = process.threadCpuUsage(cpu);
    const lateMs = Math.max(0, performance.now() - due);
    const holdMs = Math.min(lateMs, (user + system) / 1000);
    delay.observe(lateMs / 1000);
    histogram.observe(holdMs / 1000);
    if (holdMs > longestHold) longest.set((longestHold = holdMs) / 1000);
    cpu = process.threadCpuUsage();
    due = performance.now() + PERIOD_MS;
    timer = setTimeout(look, PERIOD_MS).unref();
  }

  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
