import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";

/**
 * A young generation of 4 to 8 MiB: V8 would let it grow to 48 MiB at the start and shrink it at rest so far that later
 * requests wait for collections. Parallel scavenges would wait for threads on a busy CPU. Most other flags would keep Node
 * from using its own compiled modules, so packages/telemetry/src/run-process.ts sets one while a process runs.
 */
export const NODE_FLAGS = ["--min-semi-space-size=4", "--max-semi-space-size=8", "--no-parallel-scavenge"];

/** Each process has its own compile cache, because processes that share one wait for each other at exit. */
export function nodeEnvironment(processName: string): Record<string, string> {
  return {
    NODE_COMPILE_CACHE: join(WORKSPACE_ROOT, "node_modules/.cache/node-compile", processName),
    MALLOC_ARENA_MAX: "2",
    MALLOC_MMAP_THRESHOLD_: "131072",
    MALLOC_TRIM_THRESHOLD_: "131072",
  };
}

/** Replaces this process by one with these settings, or returns if it has them or runs on Windows. */
export function restartLean(): void {
  const { execPath, execArgv, argv, env } = process;
  if (process.execve === undefined || NODE_FLAGS.every((flag) => execArgv.includes(flag))) return;
  process.execve(execPath, [execPath, ...execArgv, ...NODE_FLAGS, ...argv.slice(1)], {
    ...nodeEnvironment("launcher"),
    ...env,
  });
}
