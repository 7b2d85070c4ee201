import { dataDirPaths, startSystem, type StartSystemOptions, type System } from "@canvass/dev-env";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createApiClient, type ApiClient, type ApiClientOptions } from "./api-client.ts";
import { verifyingReceiver, type VerifyingReceiver } from "./webhook-receiver.ts";

/** A complete system in a temporary directory, with a webhook receiver that it can reach. */
export interface DemoSystem extends AsyncDisposable {
  system: System;
  api: ApiClient;
  receiver: VerifyingReceiver;
  /** Holds logs, mails and the servers' data. */
  dataDir: string;
}

export interface DemoSystemOptions
  extends
    ApiClientOptions,
    Pick<
      StartSystemOptions,
      | "databaseUrl"
      | "durable"
      | "restartMs"
      | "onProgress"
      | "onEvent"
      | "prepareDatabases"
      | "createWorkspace"
      | "natsUrl"
      | "processes"
      | "services"
    > {
  /** Additional environment variables for every process. */
  env?: Record<string, string>;
  /** Data directory of a stopped PostgreSQL server; the system starts on a copy. Default: an empty directory. */
  serverData?: string | undefined;
}

/** Copies the data directory of a stopped PostgreSQL server. */
export async function copyServerData(from: string, to: string): Promise<void> {
  // `-p` keeps the owner: the server runs as that user.
  await promisify(execFile)("cp", ["-Rp", from, to]);
}

/** Starts everything on free ports. Disposing stops the system and deletes its data. */
export async function startDemoSystem({
  env = {},
  serverData,
  repeats,
  ...options
}: DemoSystemOptions = {}): Promise<DemoSystem> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "canvass-"));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  if (serverData) await copyServerData(serverData, dataDirPaths(dataDir).postgres);
  const receiver = starting.use(await verifyingReceiver());
  const caFile = join(dataDir, "receiver-ca.pem");
  await writeFile(caFile, receiver.ca);
  const system = starting.use(
    await startSystem({
      ...options,
      dataDir,
      env: {
        CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
        CANVASS_WEBHOOK_CA_FILE: caFile,
        CANVASS_RATE_LIMITS: "off",
        CANVASS_LOG_LEVEL: "warn",
        ...env,
      },
    }),
  );
  const api = starting.use(createApiClient(system.local.baseUrl, system.local.token, { repeats }));
  const running = starting.move();
  return { system, api, receiver, dataDir, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
