import { performance } from "node:perf_hooks";
import type { Registry } from "prom-client";
import { Gauge, Histogram, SilentRegistry } from "./instruments.ts";

/** Milliseconds between samples of an active loop, and the error of a measured block. */
const PERIOD_MS = 10;
/** Idle samples before sampling stops until the loop has work. */
const IDLE_SAMPLES = 3;
const QUIET_CPU_MS = 0.5;

/** Longest allowed block of an event loop in milliseconds; a bucket of the histogram. */
export const LONGEST_BLOCK_MS = 50;

/**
 * Measures how long the process blocks its own event loop, until it is disposed. A block is the delay of a timer, but
 * at most the CPU time, because a busy machine delays timers, too.
 */
export function watchEventLoop(registry: Registry): Disposable {
  if (registry instanceof SilentRegistry) return { [Symbol.dispose]: () => {} };
  const observe = blockMetrics(registry);
  let looking: NodeJS.Timeout | undefined;
  let resting: NodeJS.Immediate | undefined;
  let idleSamples = 0;
  let due = 0;
  let cpu = process.threadCpuUsage();
  let activeMs = 0;

  function sampleAgain(): void {
    due = performance.now() + PERIOD_MS;
    cpu = process.threadCpuUsage();
    looking = setTimeout(look, PERIOD_MS).unref();
  }

  function look(): void {
    const cpuMs = cpuSince(cpu);
    observe(Math.max(0, performance.now() - due), cpuMs);
    idleSamples = cpuMs < QUIET_CPU_MS ? idleSamples + 1 : 0;
    if (idleSamples < IDLE_SAMPLES) sampleAgain();
    else rest();
  }

  /** An unreferenced immediate does not wake an idle process. It runs at the end of the next turn with work. */
  function rest(): void {
    looking = undefined;
    cpu = process.threadCpuUsage();
    activeMs = performance.eventLoopUtilization().active;
    resting = setImmediate(firstTurn).unref();
  }

  function firstTurn(): void {
    observe(performance.eventLoopUtilization().active - activeMs, cpuSince(cpu));
    idleSamples = 0;
    sampleAgain();
  }

  sampleAgain();
  return {
    [Symbol.dispose]() {
      clearTimeout(looking);
      clearImmediate(resting);
    },
  };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function blockMetrics(registry: Registry): (lateMs: number, cpuMs: number) => void {
  const block = new Histogram({
    name: "nodejs_eventloop_hold_seconds",
    help: "Turns of the event loop by the CPU time the main thread spent in them, as far as they made a timer late",
    buckets: [0.005, 0.01, 0.025, LONGEST_BLOCK_MS / 1000, 0.1, 0.25, 0.5, 1, 2.5],
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
    help: "The longest block since the process was ready",
    registers: [registry],
  });
  let longestMs = 0;
  return (lateMs, cpuMs) => {
    const blockMs = Math.min(lateMs, cpuMs);
    delay.observe(lateMs / 1000);
    block.observe(blockMs / 1000);
    if (blockMs > longestMs) longest.set((longestMs = blockMs) / 1000);
  };
}
