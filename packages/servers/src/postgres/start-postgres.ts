import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperationalError } from "@canvass/provisioning/operational-error";
import type { OnSpawn } from "../processes/spawn-listed.ts";
import { anyFreePort } from "../any-free-port.ts";
import { keepWatchdog } from "../processes/watchdog.ts";
import { postgresBinaries } from "./binaries.ts";
import { prepareDataDirectory, SUPERUSER } from "./data-directory.ts";
import { waitForFreeDataDirectory } from "./postmaster-pid.ts";
import { serverAccount } from "./server-account.ts";
import { launchServer, stopServer } from "./server-process.ts";
import { serverFlags } from "./server-settings.ts";

export interface StartPostgresOptions {
  /** Made on the first start, used again on later ones. Its parent is made too. */
  dataDir: string;
  /** 0 or absent: any free port. */
  port?: number;
  /** Where the server writes its log. Absent: `server.log` in the data directory. */
  logFile?: string;
  /** false only for throw-away test servers: commits then do not survive a crash of the machine. */
  durable?: boolean;
  /**
   * Told of every process that is started. Absent: a watchdog of the server's own sees to it that it does not outlive
   * this process, however that ends.
   */
  onSpawn?: OnSpawn;
}

export interface PostgresServer extends AsyncDisposable {
  /** Superuser address of the `postgres` database, password included. */
  url: string;
  port: number;
  pid: number;
  /** Settles when the server process is gone, for whatever reason. */
  exited: Promise<string>;
}

const START_ATTEMPTS = 5;

/**
 * Starts PostgreSQL on a loopback port and resolves when it answers queries. Disposing stops it with SIGINT (fast
 * shutdown) and waits. The server runs in a process group of its own, so Ctrl-C in a terminal reaches only us.
 * Throws one sentence for: missing binaries, a directory that is no cluster or of another version, a server already
 * running on it, a taken port, a server that does not come up.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<PostgresServer> {
  const dataDir = resolve(options.dataDir);
  const binaries = await postgresBinaries();
  await makeParent(dataDir);
  const account = await serverAccount(dataDir, binaries.postgres);
  const password = await prepareDataDirectory(dataDir, binaries, account, options.onSpawn ?? (() => {}));
  await waitForFreeDataDirectory(dataDir);
  const logFile = options.logFile ?? join(dataDir, "server.log");
  await using starting = new AsyncDisposableStack();
  const onSpawn = options.onSpawn ?? starting.use(await keepWatchdog()).watch("SIGINT");
  for (let attempt = 1; ; attempt++) {
    const port = options.port || (await anyFreePort());
    const url = `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    const flags = serverFlags({ port, durable: options.durable ?? true });
    const [command = "", ...args] = [...account.prefix, binaries.postgres, "-D", dataDir, ...flags];
    const server = await launchServer({ command, args, url, dataDir, logFile, onSpawn });
    if ("pid" in server) {
      starting.defer(() => stopServer(server));
      const started = starting.move();
      return { ...server, url, port, [Symbol.asyncDispose]: () => started.disposeAsync() };
    }
    const mayPass = server.reason === "backends alive" || (server.reason === "port taken" && !options.port);
    if (!mayPass || attempt === START_ATTEMPTS) throw new OperationalError(server.message);
    // Backends of a killed server notice its death within moments.
    await sleep(200 * attempt);
  }
}

async function makeParent(dataDir: string): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true }).catch((cause: Error) => {
    throw new OperationalError(`The PostgreSQL data directory ${dataDir} can not be made: ${cause.message}.`, {
      cause,
    });
  });
}
