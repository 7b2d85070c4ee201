import { mkdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperationalError } from "@canvass/provisioning/operational-error";
import { openRoster, type OnSpawn } from "../../processes/roster.ts";
import { anyFreePort } from "../any-free-port.ts";
import { postgresBinaries } from "./binaries.ts";
import { prepareDataDirectory, SUPERUSER } from "./data-directory.ts";
import { serverAccount } from "./server-account.ts";
import { launchServer, stopServer } from "./server-process.ts";
import { serverFlags } from "./server-settings.ts";
import { isAlive, processInfo } from "../../processes/process-info.ts";

export interface StartPostgresOptions {
  dataDir: string;
  port?: number;
  logFile?: string;
  /** False for throw-away test servers, which lose commits when the machine crashes. */
  durable?: boolean;
  /** Called for every started process. Default: lists it in a roster, by which a later start ends leftovers. */
  onSpawn?: OnSpawn;
}

export interface PostgresServer extends AsyncDisposable {
  /** URL of the superuser and the database `postgres`, with the password. */
  url: string;
  port: number;
  pid: number;
  exited: Promise<string>;
}

const START_ATTEMPTS = 5;

/** Resolves when the server responds to queries. Disposing stops it (fast shutdown). Throws OperationalError. */
export async function startPostgres(options: StartPostgresOptions): Promise<PostgresServer> {
  const dataDir = resolve(options.dataDir);
  const binaries = await postgresBinaries();
  await makeParent(dataDir);
  const account = await serverAccount(dataDir, binaries.postgres);
  await using starting = new AsyncDisposableStack();
  const onSpawn = options.onSpawn ?? starting.use(await openRoster()).list("SIGINT");
  const password = await prepareDataDirectory(dataDir, binaries, account, onSpawn);
  await waitForFreeDataDirectory(dataDir);
  const logFile = options.logFile ?? join(dataDir, "server.log");
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
    // The backends of a killed server soon notice its end.
    await sleep(200 * attempt);
  }
}

async function makeParent(dataDir: string): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true }).catch((cause: Error) => {
    throw new OperationalError(`The PostgreSQL data directory ${dataDir} cannot be made: ${cause.message}.`, {
      cause,
    });
  });
}

/** Waits until no server uses `dataDir`. Removes a postmaster.pid whose pid another program has. */
async function waitForFreeDataDirectory(dataDir: string): Promise<void> {
  const file = join(dataDir, "postmaster.pid");
  const deadline = Date.now() + 5000;
  for (;;) {
    const pid = Number((await readFile(file, "utf8").catch(() => "")).split("\n")[0]);
    if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
    if (!(await servesDirectory(pid, dataDir))) {
      await rm(file, { force: true });
      return;
    }
    if (Date.now() > deadline) {
      throw new OperationalError(`Another PostgreSQL server (process ${pid}) is using ${dataDir}. Stop it first.`);
    }
    await sleep(100);
  }
}

/** On Linux by the working directory, which is the server's data directory; elsewhere by name. */
async function servesDirectory(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform === "linux") {
    const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return workingDirectory === (await realpath(dataDir));
  }
  return processInfo(pid)?.command.includes("postgres") ?? false;
}
