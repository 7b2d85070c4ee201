import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { Environment } from "./config.ts";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { WORKSPACE_ROOT } from "@canvass/processes";

/** Generates only outdated code. Throws OperationalError with the output on failure. */
export async function generateCode(env: Environment): Promise<void> {
  const turbo = join(WORKSPACE_ROOT, "node_modules/.bin/turbo");
  const child = spawn(turbo, ["run", "generate", "--output-logs=errors-only"], {
    cwd: WORKSPACE_ROOT,
    // Without this, Prisma downloads a schema engine that it does not need.
    env: { ...env, TURBO_TELEMETRY_DISABLED: "1", PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", DO_NOT_TRACK: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)));
  const [code] = await once(child, "close").catch((error: unknown) => [reasonOf(error)]);
  if (code !== 0) throw new OperationalError(`The code could not be generated:\n${output.join("").trim() || code}`);
}
