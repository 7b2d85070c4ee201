import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperationalError } from "@canvass/provisioning/operational-error";
import type { OnSpawn } from "../spawn-listed.ts";
import { keepWatchdog } from "../watchdog.ts";
import { POSTGRES_MAJOR, postgresBinaries } from "./binaries.ts";
import { prepareDataDirectory, SUPERUSER } from "./data-directory.ts";
import { freePort } from "./free-port.ts";
import { waitForFreeDataDirectory } from "./postmaster-pid.ts";
import { serverAccount } from "./server-account.ts";
import { launchServer } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";
import { serverFlags } from "./server-settings.ts";

export interface StartPostgresOptions {
  /** Made on the first start, used again on later ones. Its parent is made too. */
  dataDir: string;
  /** 0 or absent: any free port. */
  port?: number;
  /** Receives the server's own log, a line at a time. */
  log: (line: string) => void;
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
  exited: Promise<void>;
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
  const { password, created } = await prepareDataDirectory(dataDir, binaries, account, options.onSpawn ?? (() => {}));
  if (created) options.log(`created a PostgreSQL ${POSTGRES_MAJOR} data directory in ${dataDir}`);
  await waitForFreeDataDirectory(dataDir);
  await using starting = new AsyncDisposableStack();
  const onSpawn = options.onSpawn ?? starting.use(await keepWatchdog()).watch("SIGINT");
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port);
    const url = `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    const flags = serverFlags({ port, durable: options.durable ?? true });
    const words = [...account.prefix, binaries.postgres, "-D", dataDir, ...flags];
    const server = await launchServer({ words, url, dataDir, log: options.log, onSpawn });
    if ("pid" in server) return describe(server, url, port, starting.move());
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

function describe(server: ServerProcess, url: string, port: number, started: AsyncDisposableStack): PostgresServer {
  started.defer(server.stop);
  const stop = () => started.disposeAsync();
  return { url, port, pid: server.pid, exited: server.exited, [Symbol.asyncDispose]: stop };
}
