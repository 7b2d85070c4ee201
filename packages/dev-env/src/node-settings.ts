import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";

/**
 * Bounds the young generation to 4 to 8 MiB: V8 would let it grow to 48 MiB in the first second and keep that while
 * idle, but would shrink it at rest so far that a lone caller meets a collection at each twentieth request. Scavenges
 * are not parallel, because their helper threads wait for a busy CPU. `--expose-gc` lets each process collect the
 * garbage of its start (collectStartGarbage). Compiled functions stay, so that a request after a rest is as fast as
 * others.
 */
export const NODE_FLAGS = [
  "--min-semi-space-size=4",
  "--max-semi-space-size=8",
  "--expose-gc",
  "--no-flush-bytecode",
  "--no-parallel-scavenge",
];

/**
 * Caches stripped modules beside the installed packages, so that only a first start loads the compiler. Each process
 * has its own folder: Node writes the cache at exit, and processes that share one would wait for each other longer than
 * a stop may take. All threads share two malloc heaps instead of eight per CPU. Fixed thresholds return freed memory to
 * the system.
 */
export function nodeEnvironment(processName: string): Record<string, string> {
  return {
    NODE_COMPILE_CACHE: join(WORKSPACE_ROOT, "node_modules/.cache/node-compile", processName),
    MALLOC_ARENA_MAX: "2",
    MALLOC_MMAP_THRESHOLD_: "131072",
    MALLOC_TRIM_THRESHOLD_: "131072",
  };
}

/** Replaces this process by one with these settings and the same arguments; returns if it has them. Not on Windows. */
export function restartLean(): void {
  const { execPath, execArgv, argv, env } = process;
  if (process.execve === undefined || NODE_FLAGS.every((flag) => execArgv.includes(flag))) return;
  process.execve(execPath, [execPath, ...execArgv, ...NODE_FLAGS, ...argv.slice(1)], {
    ...nodeEnvironment("launcher"),
    ...env,
  });
}
