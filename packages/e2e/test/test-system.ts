import { preparedInProcess } from "@canvass/dev-env/in-process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDemoSystem, type DemoSystem, type DemoSystemOptions } from "../src/index.ts";

/**
 * A system that starts and stops quickly by default: its processes load compiled code, its preparations load none, and its
 * database does not wait for the disk.
 */
export function startTestSystem({ env, ...options }: DemoSystemOptions = {}): Promise<DemoSystem> {
  const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };
  return startDemoSystem({ ...preparedInProcess, durable: false, ...options, env: { ...compiled, ...env } });
}
