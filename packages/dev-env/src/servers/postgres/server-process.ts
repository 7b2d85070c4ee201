import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

import { lastLines, sizeOf } from "../log-file.ts";
import { endProcess, startProgram } from "../../processes/program.ts";
import type { Program, RunningProcess } from "../../processes/program.ts";
import type { OnSpawn } from "../../processes/roster.ts";

export interface FailedStart {
  reason: "port taken" | "backends alive" | "broken";
  message: string;
}

interface LaunchOptions extends Pick<Program, "command" | "args" | "logFile"> {
  url: string;
  dataDir: string;
  onSpawn: OnSpawn;
}

const READY_TIMEOUT_MS = 120_000;
const FAST_SHUTDOWN_MS = 60_000;

/** Waits until the server responds to a query, exits, or two minutes pass. */
export async function launchServer({
  url,
  dataDir,
  onSpawn,
  ...program
}: LaunchOptions): Promise<RunningProcess | FailedStart> {
  const logBegin = await sizeOf(program.logFile);
  const server = await startProgram({ ...program, env: {}, cwd: "/" }, onSpawn);
  if (await isReady(url, server.exited)) return server;
  await stopServer(server);
  return explain(await lastLines(program.logFile, 20, logBegin), url, dataDir);
}

/** A fast shutdown ends sessions and writes a checkpoint. Resolves when the process has ended. */
export async function stopServer(server: RunningProcess): Promise<void> {
  // After the deadline, an immediate shutdown loses no commit; the next start replays the WAL.
  await endProcess(server, "SIGINT", FAST_SHUTDOWN_MS, () => {}, "SIGQUIT");
}

async function isReady(url: string, exited: Promise<unknown>): Promise<boolean> {
  const gone = exited.then(() => "gone");
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (await answers(url)) return true;
    if ((await Promise.race([gone, sleep(50)])) === "gone") return false;
  }
  return false;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function explain(lines: string[], url: string, dataDir: string): FailedStart {
  const log = lines.join("\n");
  if (log.includes("Address already in use")) {
    const message = `Port ${new URL(url).port} for PostgreSQL is taken by another program. Choose another one.`;
    return { reason: "port taken", message };
  }
  if (log.includes("shared memory block")) {
    const message = `Processes of a PostgreSQL server that was killed still use ${dataDir}. Wait, or end them.`;
    return { reason: "backends alive", message };
  }
  const worst = lines.findLast((line) => /\b(FATAL|PANIC|ERROR):/.test(line)) ?? lines.at(-1) ?? "no output";
  const sentence = worst.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, "");
  return { reason: "broken", message: `PostgreSQL could not start on ${dataDir}: ${sentence}` };
}
