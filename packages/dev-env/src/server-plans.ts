import { join } from "node:path";

import type { DataDir } from "./data-dir.ts";
import { natsServerPath } from "./servers/nats/find-nats-server.ts";
import { natsUrl } from "./servers/nats/start-nats.ts";
import { servesJetStream, startNatsProcess } from "./servers/nats/nats-process.ts";
import { startPostgres } from "./servers/postgres/start-postgres.ts";
import type { OnSpawn } from "./processes/roster.ts";
import type { ProcessPlan } from "./supervised-process.ts";
import type { TlsFiles } from "@canvass/provisioning";

export type ServerPlan = { plan: ProcessPlan; url: () => string };

export function planPostgres(dataDir: DataDir, port: number, durable: boolean): ServerPlan {
  const logFile = join(dataDir.logs, "postgres.log");
  let url = "";
  const start = async (onSpawn: OnSpawn) => {
    const server = await startPostgres({ dataDir: dataDir.postgres, port, logFile, durable, onSpawn });
    url = server.url;
    return server;
  };
  // startPostgres resolves only when the server responds to queries.
  return {
    plan: { name: "postgres", logFile, stopSignal: "SIGINT", start, isReady: async () => true },
    url: () => url,
  };
}

export async function planNats(
  dataDir: DataDir,
  port: number,
  password: string,
  tlsFiles: TlsFiles | undefined,
  onDownload: (what: string) => void,
): Promise<ServerPlan> {
  const command = await natsServerPath(dataDir.root, onDownload);
  const logFile = join(dataDir.logs, "nats.log");
  const plan: ProcessPlan = {
    name: "nats",
    logFile,
    stopSignal: "SIGINT",
    start: (onSpawn) =>
      startNatsProcess({ command, dataDir: dataDir.nats, port, password, logFile, tlsFiles }, onSpawn),
    isReady: () => servesJetStream(port),
  };
  return { plan, url: () => natsUrl(port, password, { tlsFiles }) };
}
