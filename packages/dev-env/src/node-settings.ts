import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";

/**
 * Keeps the young generation small: V8 lets it grow to 48 MiB in the first second and keeps that while idle; but not as
 * small as V8 makes it at rest, from where a lone caller meets a collection at each twentieth request. Helpers of such a
 * collection wait for a processor when others keep them busy, so there are none. Lets each process collect the garbage of
 * its start (collectStartGarbage), and keeps compiled functions then and later, so that a request after a rest is as fast
 * as others.
 */
export const NODE_FLAGS = [
  "--min-semi-space-size=4",
  "--max-semi-space-size=8",
  "--expose-gc",
  "--no-flush-bytecode",
  "--no-parallel-scavenge",
];

/**
 * Caches stripped modules beside the installed packages, so that only a first start loads the compiler. Each process has a
 * folder of its own: Node writes the cache when a process ends, and all that end at once would wait for one folder, longer
 * than they have to stop. All threads share two malloc heaps instead of eight per processor. Thresholds that are set stay,
 * so freed memory goes back to the system.
 */
export function nodeEnvironment(processName: string): Record<string, string> {
  return {
    NODE_COMPILE_CACHE: join(WORKSPACE_ROOT, "node_modules/.cache/node-compile", processName),
    MALLOC_ARENA_MAX: "2",
    MALLOC_MMAP_THRESHOLD_: "131072",
    MALLOC_TRIM_THRESHOLD_: "131072",
  };
}

/** Becomes a process that Node runs by these settings, with the same arguments; returns when it is one. Not on Windows. */
export function restartLean(): void {
  const { execPath, execArgv, argv, env } = process;
  if (process.execve === undefined || NODE_FLAGS.every((flag) => execArgv.includes(flag))) return;
  process.execve(execPath, [execPath, ...execArgv, ...NODE_FLAGS, ...argv.slice(1)], {
    ...nodeEnvironment("launcher"),
    ...env,
  });
}
