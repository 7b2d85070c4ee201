import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

import { startProgram } from "../processes/program.ts";
import type { RunningProcess } from "../processes/program.ts";
import type { OnSpawn } from "../processes/spawn-listed.ts";
import type { TlsFiles } from "@canvass/provisioning";

export type NatsProcessOptions = {
  /** Path of the nats-server program (findNatsServer). */
  command: string;
  /** Holds its configuration and the streams, which survive a restart. */
  dataDir: string;
  /** Loopback port. */
  port: number;
  logFile: string;
} & NatsSettings;

export type NatsSettings = {
  /** With these it speaks mutual TLS only; else clear text. */
  tlsFiles?: TlsFiles | undefined;
  /** Makes it one of several servers that keep streams together. */
  cluster?: NatsClusterMember | undefined;
};

/** All on loopback. `name` tells the servers apart; `port` is for routes, `routes` are the ports of all members. */
export type NatsClusterMember = { name: string; port: number; routes: readonly number[] };

/** Starts a NATS server with JetStream on a loopback port. It is up when `servesJetStream` resolves with true. */
export async function startNatsProcess(options: NatsProcessOptions, onSpawn: OnSpawn): Promise<RunningProcess> {
  const { command, dataDir, logFile } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const configFile = join(dataDir, "nats-server.conf");
  await writeFile(configFile, natsConfig(options), { mode: 0o600 });
  return startProgram({ command, args: ["--config", configFile], env: {}, cwd: dataDir, logFile }, onSpawn);
}

/** Whether a NATS server with JetStream greets on this loopback port. */
export function servesJetStream(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.setTimeout(2000, () => socket.destroy());
  // The greeting is one line: INFO and a JSON object.
  socket.once("data", (greeting) => {
    resolve(/^INFO .*"jetstream":\s*true/.test(greeting.toString("utf8")));
    socket.destroy();
  });
  socket.on("error", () => resolve(false));
  socket.on("close", () => resolve(false));
  return promise;
}

/**
 * Only settings that every server from 2.9.10 on knows: that one does not start with `sync_interval`. Without
 * TLS files loopback is the protection; a deployment uses accounts and TLS.
 */
function natsConfig({ dataDir, port, tlsFiles, cluster }: NatsProcessOptions): string {
  return `listen: "127.0.0.1:${port}"
server_name: "${cluster?.name ?? "canvass"}"
max_payload: 1MB
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
