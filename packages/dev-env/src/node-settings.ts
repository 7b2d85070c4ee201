import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";

/**
 * How Node runs our processes. The young generation stays small: V8 lets it grow to 48 MiB in the first second, and an
 * idle process never gives that back.
 */
export const NODE_FLAGS = ["--max-semi-space-size=8"];

/**
 * Stripped and compiled modules are kept beside the installed packages, so that only a first start loads the compiler
 * that strips types. And all threads share two heaps of malloc instead of eight for each processor.
 */
export const NODE_ENVIRONMENT = {
  NODE_COMPILE_CACHE: join(WORKSPACE_ROOT, "node_modules/.cache/node-compile"),
  MALLOC_ARENA_MAX: "2",
};
