import { readLocalFile } from "@canvass/operator/local-file";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startBare } from "./bare/start-bare.ts";
import { measured, type Measurement } from "./bench-context.ts";
import { readTreeCosts, type TreeCosts } from "./process-tree.ts";

/** Seconds before measuring, in which connections and heaps shrink. */
const SETTLE_SECONDS = 40;
/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * Starts the system twice. The first start of a fresh clone strips types, for which each process keeps 10 MiB of
 * compiler; later starts find the stripped modules in the cache. Measures the second one without requests (launcher,
 * services, PostgreSQL and NATS together) and the bare program without its PostgreSQL. Runs before anything else
 * starts.
 */
export async function measureRest(seconds: number, say: (line: string) => void): Promise<Measurement[]> {
  if (process.platform !== "linux") {
    say("rest: not measured, since only Linux has /proc");
    return [];
  }
  const dataDir = await mkdtemp(join(tmpdir(), "canvass-rest-"));
  let { launcher, exited } = startSystem(dataDir);
  try {
    await whenRunning(dataDir, launcher);
    launcher.kill("SIGTERM");
    await exited;
    ({ launcher, exited } = startSystem(dataDir));
    const { databaseUrl } = await whenRunning(dataDir, launcher);
    await delay(SETTLE_SECONDS * 1000);
    const ours = await restOf(launcher.pid!, seconds);
    await using bare = await startBare(databaseUrl);
    await delay(SETTLE_SECONDS * 1000);
    const plain = await restOf(bare.pid, seconds);
    say(`rest: ${ours.cpu.toFixed(2)} % of a core, ${Math.round(ours.memoryMib)} MiB`);
    return [
      measured("rest_cpu", [ours.cpu], [plain.cpu], "% of a core"),
      measured("rest_memory", [ours.memoryMib], [plain.memoryMib], "MiB"),
      measured("rest_postgres", [ours.postgresProcesses], [1], "processes"),
    ];
  } finally {
    launcher.kill("SIGTERM");
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}

function startSystem(dataDir: string) {
  const start = join(WORKSPACE_ROOT, "packages/dev-env/src/bin/start.ts");
  const env = { ...process.env, CANVASS_PORT: "0", CANVASS_DATA_DIR: dataDir };
  const launcher = spawn(process.execPath, [start], { env, stdio: ["ignore", "ignore", "inherit"] });
  return { launcher, exited: once(launcher, "exit") };
}

async function whenRunning(dataDir: string, launcher: { exitCode: number | null }) {
  for (;;) {
    const local = await readLocalFile(join(dataDir, "local.json"));
    if (local !== undefined) return local;
    if (launcher.exitCode !== null) throw new Error(`start ended with exit code ${launcher.exitCode}`);
    await delay(200);
  }
}

async function restOf(pid: number, seconds: number): Promise<TreeCosts & { cpu: number }> {
  const { ticks } = readTreeCosts(pid);
  await delay(seconds * 1000);
  const after = readTreeCosts(pid);
  // Counts less than a tick as one.
  return { ...after, cpu: (Math.max(after.ticks - ticks, 1) / TICKS_PER_SECOND / seconds) * 100 };
}
