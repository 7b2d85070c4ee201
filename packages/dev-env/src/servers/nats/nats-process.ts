import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

import { endProcesses } from "../../processes/end-processes.ts";
import { findProcesses } from "../../processes/process-info.ts";
import { startProgram } from "../../processes/program.ts";
import type { RunningProcess } from "../../processes/program.ts";
import type { OnSpawn } from "../../processes/roster.ts";
import type { TlsFiles } from "@canvass/provisioning";

export type NatsProcessOptions = {
  command: string;
  dataDir: string;
  port: number;
  logFile: string;
  password: string;
} & NatsSettings;

export const NATS_USER = "canvass";
const CONFIG_FILE = "nats-server.conf";

export type NatsSettings = {
  tlsFiles?: TlsFiles | undefined;
  cluster?: NatsClusterMember | undefined;
};

/** A member on loopback: a unique `name`, the `port` for routes, and the ports of all members as `routes`. */
export type NatsClusterMember = { name: string; port: number; routes: readonly number[] };

/** Ends the servers of the folder first, since only one may work on it. */
export async function startNatsProcess(options: NatsProcessOptions, onSpawn: OnSpawn): Promise<RunningProcess> {
  const { command, dataDir, logFile } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const configFile = join(dataDir, CONFIG_FILE);
  await endServersBy(configFile);
  await writeFile(configFile, natsConfig(options), { mode: 0o600 });
  return startProgram({ command, args: ["--config", configFile], env: {}, cwd: dataDir, logFile }, onSpawn);
}

/** A launcher that is killed right after the spawn has not listed its server, and a pid file would come late. */
async function endServersBy(configFile: string): Promise<void> {
  await endProcesses(findProcesses(`--config ${configFile}`).map((found) => ({ ...found, stopSignal: "SIGINT" })));
}

export function servesJetStream(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.setTimeout(2000, () => socket.destroy());
  socket.once("data", (greeting) => {
    resolve(/^INFO .*"jetstream":\s*true/.test(greeting.toString("utf8")));
    socket.destroy();
  });
  socket.on("error", () => resolve(false));
  socket.on("close", () => resolve(false));
  return promise;
}

/** Uses only settings that nats-server 2.9.10 knows; it does not know `sync_interval`. */
function natsConfig({ dataDir, port, password, tlsFiles, cluster }: NatsProcessOptions): string {
  return `listen: "127.0.0.1:${port}"
server_name: "${cluster?.name ?? "canvass"}"
max_payload: 1MB
authorization { user: "${NATS_USER}", password: ${JSON.stringify(password)} }
jetstream {
  store_dir: ${JSON.stringify(dataDir)}
  max_memory_store: 64MB
}
${tlsFiles ? tlsConfig(tlsFiles) : ""}${cluster ? clusterConfig(cluster) : ""}`;
}

function tlsConfig({ key, cert, ca }: TlsFiles): string {
  return `tls {
  key_file: ${JSON.stringify(key)}
  cert_file: ${JSON.stringify(cert)}
  ca_file: ${JSON.stringify(ca)}
  verify: true
}
`;
}

function clusterConfig({ port, routes }: NatsClusterMember): string {
  return `cluster {
  name: "canvass"
  listen: "127.0.0.1:${port}"
  routes: ${JSON.stringify(routes.map((route) => `nats://127.0.0.1:${route}`))}
}
`;
}
