import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { spawnListed } from "../spawn-listed.ts";
import type { OnSpawn } from "../spawn-listed.ts";

export interface ServerProcess {
  pid: number;
  exited: Promise<void>;
  /** Fast shutdown: ends the sessions, writes a checkpoint, exits. Resolves when the process is gone. */
  stop: () => Promise<void>;
}

export interface FailedStart {
  reason: "port taken" | "backends alive" | "broken";
  message: string;
}

interface LaunchOptions {
  words: string[];
  url: string;
  dataDir: string;
  log: (line: string) => void;
  onSpawn: OnSpawn;
}

const READY_TIMEOUT_MS = 120_000;
const FAST_SHUTDOWN_MS = 60_000;

/** Spawns the server and waits until it answers a query, exits, or (after two minutes of recovery) neither. */
export async function launchServer({
  words,
  url,
  dataDir,
  log,
  onSpawn,
}: LaunchOptions): Promise<ServerProcess | FailedStart> {
  const [command = "", ...args] = words;
  const child = spawnListed(command, args, { cwd: "/", stdio: ["ignore", "pipe"] }, onSpawn);
  const complaints: string[] = [];
  createInterface({ input: child.stderr! }).on("line", (line) => {
    if (/\b(FATAL|PANIC|ERROR|LOG|HINT|DETAIL|WARNING):/.test(line)) complaints.push(line);
    if (complaints.length > 20) complaints.shift();
    log(line);
  });
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", (error) => complaints.push(error.message));
  });
  const { pid } = child;
  if (await isReady(url, exited)) {
    if (pid !== undefined) return { pid, exited, stop: () => stop(child, exited) };
  }
  await stop(child, exited);
  return explain(complaints, dataDir);
}

async function isReady(url: string, exited: Promise<void>): Promise<boolean> {
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

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill("SIGINT");
  const late = new AbortController();
  const escalate = sleep(FAST_SHUTDOWN_MS, undefined, { signal: late.signal }).then(
    // Immediate shutdown: nothing committed is lost, the next start replays the log.
    () => child.kill("SIGQUIT"),
    () => {},
  );
  await exited;
  late.abort();
  await escalate;
}

function explain(complaints: string[], dataDir: string): FailedStart {
  const said = complaints.join("\n");
  if (said.includes("Address already in use")) {
    return {
      reason: "port taken",
      message: "The port for PostgreSQL is taken by another program. Choose another one.",
    };
  }
  if (said.includes("shared memory block")) {
    const message = `Processes of a PostgreSQL server that was killed still use ${dataDir}. Wait, or end them.`;
    return { reason: "backends alive", message };
  }
  const worst = complaints.findLast((line) => /\b(FATAL|PANIC|ERROR):/.test(line)) ?? complaints.at(-1) ?? "no output";
  const sentence = worst.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, "");
  return { reason: "broken", message: `PostgreSQL could not start on ${dataDir}: ${sentence}` };
}
