import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCanvass } from "@canvass/operator";
import { addressVariable, PROCESSES, serviceNames } from "@canvass/processes";
import { anyFreePort, natsServerPath, servesJetStream, startPostgres } from "@canvass/dev-env/servers";
import { endProcess, openRoster, startProgram } from "@canvass/dev-env/processes";
import { waitFor } from "@canvass/testing";
import type { ImageTrees } from "./image-trees.ts";
import { runImage, runToEnd, waitHealthy, type Container } from "./run-image.ts";

/** The servers and secrets of an installation, created as deploy/README.md describes. */
export interface Installation extends AsyncDisposable {
  /** Path of a secret file by its name. */
  secret(name: string): string;
  /** Connects as the superuser. */
  databaseUrl: string;
}

const MOUNTED = "/run/secrets/canvass.env";

export async function prepareInstallation(folder: string): Promise<Installation> {
  await using starting = new AsyncDisposableStack();
  const secrets = join(folder, "secrets");
  const postgres = starting.use(await startPostgres({ dataDir: join(folder, "postgres"), durable: false }));
  const natsPort = await anyFreePort();
  const servers = ["--postgres", `127.0.0.1:${postgres.port}`, "--nats", `127.0.0.1:${natsPort}`];
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const words = ["installation", "secrets", "--directory", secrets, ...servers];
  if ((await runCanvass(words, {}, { out: write, err: write })) !== 0) throw new Error(lines.join(""));
  starting.use(await startNats(join(folder, "nats"), join(secrets, "nats.conf"), natsPort));
  const started = starting.move();
  return {
    secret: (name) => join(secrets, name),
    databaseUrl: postgres.url,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function startNats(dataDir: string, config: string, port: number): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  await mkdir(dataDir, { recursive: true });
  const command = await natsServerPath(dataDir, () => {});
  const args = [
    "--config",
    config,
    "--addr",
    "127.0.0.1",
    "--port",
    String(port),
    "--jetstream",
    "--store_dir",
    dataDir,
  ];
  const onSpawn = starting.use(await openRoster()).list("SIGINT");
  const running = await startProgram({ command, args, env: {}, cwd: dataDir, logFile: join(dataDir, "log") }, onSpawn);
  starting.defer(() => endProcess(running, "SIGINT", 10_000, () => {}));
  await waitFor(() => servesJetStream(port), { describe: "NATS" });
  const started = starting.move();
  return { [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/**
 * Creates the databases and migrates each with its own image, two runs at once. Returns the output of the first runs.
 */
export async function migrateAll(trees: ImageTrees, installation: Installation): Promise<string[]> {
  await runToEnd(trees.folderOf("operator"), {
    args: ["main.ts", "installation", "databases"],
    // In deploy/compose the administrator's password is the one of operator.env.
    env: { DATABASE_URL: installation.databaseUrl },
    files: { [MOUNTED]: installation.secret("operator.env") },
  });
  const migrate = (name: string) =>
    runToEnd(trees.folderOf(name), {
      args: ["migrate.ts", "migrations"],
      files: { [MOUNTED]: installation.secret(`${name}-migrations.env`) },
    });
  const outputs: string[] = [];
  for (const name of serviceNames) outputs.push(...(await Promise.all([migrate(name), migrate(name)])));
  return outputs;
}

export interface ContainerSystem extends AsyncDisposable {
  publicUrl: string;
  tokenServiceUrl: string;
  /** The gateway's ops address. */
  opsUrl: string;
  containers: ReadonlyMap<string, Container>;
}

/** Starts all processes from their images and waits until each is healthy. `env` applies to all. */
export async function startContainers(
  trees: ImageTrees,
  installation: Installation,
  env: Record<string, string>,
  files: Record<string, string>,
): Promise<ContainerSystem> {
  await using starting = new AsyncDisposableStack();
  const ports = new Map<string, number>();
  // Containers share the machine's network, so each needs its own ports.
  for (const { name } of PROCESSES)
    for (const of of ["rpc", "ops", "http"]) ports.set(`${name}:${of}`, await anyFreePort());
  const port = (name: string, of: string) => String(ports.get(`${name}:${of}`));
  const addressOf = (name: string) => `http://127.0.0.1:${port(name, "rpc")}`;
  const publicUrl = `http://127.0.0.1:${port("gateway", "http")}`;
  const containers = new Map<string, Container>();
  const healthy = PROCESSES.map(async ({ name }) => {
    const settings = {
      CANVASS_PORT: port(name, "http"),
      CANVASS_RPC_PORT: port(name, "rpc"),
      CANVASS_OPS_PORT: port(name, "ops"),
      CANVASS_PUBLIC_URL: publicUrl,
      CANVASS_FILES_DIR: "/data",
      CANVASS_MAIL_DIR: "/data",
      ...Object.fromEntries(serviceNames.map((each) => [addressVariable(each), addressOf(each)])),
      ...env,
    };
    const container = runImage(trees.folderOf(name), {
      env: settings,
      files: { [MOUNTED]: installation.secret(`${name}.env`), ...files },
    });
    containers.set(name, starting.use(container));
    await waitHealthy(trees.folderOf(name), container, settings);
  });
  await Promise.all(healthy);
  const started = starting.move();
  return {
    publicUrl,
    tokenServiceUrl: addressOf("token"),
    opsUrl: `http://127.0.0.1:${port("gateway", "ops")}`,
    containers,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Creates a workspace with the operator's image. Returns its token. */
export async function createWorkspaceToken(
  trees: ImageTrees,
  installation: Installation,
  { tokenServiceUrl }: ContainerSystem,
): Promise<string> {
  const owner = ["--owner-name", "Ada", "--owner-email", "ada@example.com"];
  const words = ["workspace", "create", "--name", "Acme", "--plan", "enterprise", ...owner];
  const output = await runToEnd(trees.folderOf("operator"), {
    args: ["main.ts", ...words, "--token-service", tokenServiceUrl, "--json"],
    files: { [MOUNTED]: installation.secret("operator.env") },
  });
  return (JSON.parse(output) as { token: string }).token;
}

export async function writeReceiverAuthority(folder: string, ca: string): Promise<string> {
  const path = join(folder, "receiver-ca.pem");
  await writeFile(path, ca);
  return path;
}
