import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { OperationalError } from "@canvass/provisioning/operational-error";
import { lastLines } from "../log-file.ts";
import { anyFreePort } from "../any-free-port.ts";
import { endProcess } from "../../processes/program.ts";
import type { RunningProcess } from "../../processes/program.ts";
import { openRoster } from "../../processes/roster.ts";
import { natsServerPath } from "./find-nats-server.ts";
import { TLS_HOST } from "@canvass/provisioning";
import { NATS_USER, servesJetStream, startNatsProcess, type NatsSettings } from "./nats-process.ts";

export type StartNatsOptions = {
  dataDir: string;
  /** On loopback; 0 or absent: any free port. */
  port?: number;
  /** Absent: a new password, which the URL contains. */
  password?: string;
  log?: (line: string) => void;
} & NatsSettings;

export type NatsServer = AsyncDisposable & {
  url: string;
  port: number;
  pid: number;
  exited: Promise<string>;
};

const READY_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 10_000;

/**
 * Resolves when the server serves JetStream. If this process is killed, the next start ends it. Throws
 * OperationalError.
 */
export async function startNats({
  dataDir,
  port = 0,
  password = randomBytes(24).toString("base64url"),
  log = () => {},
  ...settings
}: StartNatsOptions): Promise<NatsServer> {
  const directory = resolve(dataDir);
  await mkdir(directory, { recursive: true });
  const command = await natsServerPath(directory, (what) => log(`downloading ${what}`));
  const chosen = port === 0 ? await anyFreePort() : port;
  const logFile = join(directory, "nats-server.log");
  await using starting = new AsyncDisposableStack();
  const onSpawn = starting.use(await openRoster()).list("SIGINT");
  const running = await startNatsProcess(
    { command, dataDir: directory, port: chosen, password, logFile, ...settings },
    onSpawn,
  );
  starting.defer(() => endProcess(running, "SIGINT", STOP_DEADLINE_MS, () => log("nats-server had to be killed")));
  if (!(await isUp(chosen, running))) {
    throw new OperationalError(`nats-server did not start:\n${(await lastLines(logFile, 4)).join("\n")}`);
  }
  const started = starting.move();
  const stop = () => started.disposeAsync();
  return { ...running, url: natsUrl(chosen, password, settings), port: chosen, [Symbol.asyncDispose]: stop };
}

/** Contains user and password. With TLS it has a host name, by which the certificate is validated. */
export function natsUrl(port: number, password: string, { tlsFiles }: NatsSettings): string {
  const user = `${NATS_USER}:${encodeURIComponent(password)}`;
  return tlsFiles ? `tls://${user}@${TLS_HOST}:${port}` : `nats://${user}@127.0.0.1:${port}`;
}

async function isUp(port: number, { exited }: RunningProcess): Promise<boolean> {
  const ended = exited.then(() => "ended");
  for (const deadline = Date.now() + READY_DEADLINE_MS; Date.now() < deadline;) {
    if (await servesJetStream(port)) return true;
    if ((await Promise.race([ended, delay(50)])) === "ended") return false;
  }
  return false;
}
