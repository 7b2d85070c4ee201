import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperationalError } from "@canvass/provisioning/operational-error";

import { isAlive, processInfo } from "../../processes/process-info.ts";

/** Waits until no server uses `dataDir`. Removes a postmaster.pid whose pid another program has. */
export async function waitForFreeDataDirectory(dataDir: string, patienceMs = 5000): Promise<void> {
  const file = join(dataDir, "postmaster.pid");
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const pid = Number((await readFile(file, "utf8").catch(() => "")).split("\n")[0]);
    if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
    if (!(await servesDirectory(pid, dataDir))) {
      await rm(file, { force: true });
      return;
    }
    if (Date.now() > deadline) {
      throw new OperationalError(`Another PostgreSQL server (process ${pid}) is using ${dataDir}. Stop it first.`);
    }
    await sleep(100);
  }
}

/** On Linux by the working directory, which is the server's data directory; elsewhere by name. */
async function servesDirectory(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform === "linux") {
    const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return workingDirectory === (await realpath(dataDir));
  }
  return processInfo(pid)?.command.includes("postgres") ?? false;
}
