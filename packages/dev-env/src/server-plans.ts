import { join } from "node:path";

import type { DataDir } from "./data-dir.ts";
import { natsServer, natsUrl, servesJetStream, startNatsProcess, startPostgres } from "@canvass/servers";
import type { OnSpawn } from "@canvass/servers/processes";
import type { ProcessPlan } from "./supervised-process.ts";
import type { TlsFiles } from "@canvass/provisioning";

/** A server that we start ourselves, and the address under which it is found once it is ready. */
export type ServerPlan = { plan: ProcessPlan; url: () => string };

/** How PostgreSQL is run on this data directory. */
export function planPostgres(dataDir: DataDir, port: number, durable: boolean): ServerPlan {
  const logFile = join(dataDir.logs, "postgres.log");
  let url = "";
  const start = async (onSpawn: OnSpawn) => {
    const server = await startPostgres({ dataDir: dataDir.postgres, port, logFile, durable, onSpawn });
    url = server.url;
    return server;
  };
  // startPostgres resolves when the server answers queries.
  return {
    plan: { name: "postgres", logFile, stopSignal: "SIGINT", start, isReady: async () => true },
    url: () => url,
  };
}

/** How NATS is run on this data directory, with TLS if there are files. Finds, or downloads, the program first. */
export async function planNats(
  dataDir: DataDir,
  port: number,
  tlsFiles: TlsFiles | undefined,
  onDownload: (what: string) => void,
): Promise<ServerPlan> {
  const command = await natsServer(dataDir.root, onDownload);
  const logFile = join(dataDir.logs, "nats.log");
  const plan: ProcessPlan = {
    name: "nats",
    logFile,
    stopSignal: "SIGINT",
    start: (onSpawn) => startNatsProcess({ command, dataDir: dataDir.nats, port, logFile, tlsFiles }, onSpawn),
    isReady: () => servesJetStream(port),
  };
  return { plan, url: () => natsUrl(port, { tlsFiles }) };
}
