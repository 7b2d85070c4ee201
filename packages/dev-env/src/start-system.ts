import { DEFAULT_BACK_OFF } from "@canvass/servers/processes";
import type { BackOff } from "@canvass/servers/processes";
import { createFirstWorkspace, keepIdentity } from "./first-workspace.ts";
import type { SystemKeys, TlsFiles } from "@canvass/provisioning";
import { openLaunch } from "./launch.ts";
import type { Launch } from "./launch.ts";
import { keepLocalFile } from "./local-file.ts";
import type { LocalFile } from "./local-file.ts";
import type { LocalState, TokenFault } from "@canvass/operator";
import { PROCESSES } from "@canvass/processes";
import { opsUrl, rpcUrl } from "./process-settings.ts";
import type { LaunchedProcess, SystemSettings } from "./process-settings.ts";
import { step } from "./progress.ts";
import type { OnProgress } from "./progress.ts";
import { prepareDatabases, startProcesses, startServers } from "./start-parts.ts";
import type { Servers } from "./start-parts.ts";
import type { SupervisorEvent } from "./supervised-process.ts";
import { findTokenFault } from "@canvass/operator";
import { systemTls } from "@canvass/provisioning";

export type StartSystemOptions = {
  /** Everything of the system lives there; made if missing. */
  dataDir: string;
  /** Of the gateway. 0 or absent: any free one, the same on every start of this data directory. */
  port?: number | undefined;
  /** Use this PostgreSQL server (a role that may create databases and roles) instead of starting one. */
  databaseUrl?: string | undefined;
  /** false only for throw-away systems: what PostgreSQL has committed then survives no crash. Default true. */
  durable?: boolean;
  /** Use this NATS server, with JetStream, instead of starting one. */
  natsUrl?: string | undefined;
  /** Settings for every process beside those of the table in processes.ts, for example CANVASS_RATE_LIMITS. */
  env?: Readonly<Record<string, string>>;
  onProgress?: OnProgress | undefined;
  /** Told of deaths, restarts and kills. */
  onEvent?: ((event: SupervisorEvent) => void) | undefined;
  /** Which of the processes to start; absent: all. */
  services?: readonly string[];
  /** When to start a process again after it died. Absent: after 0.2 s, twice that after each further death. */
  backOff?: BackOff | undefined;
  /** Ends a start under way: everything is stopped in order and the promise rejects. */
  signal?: AbortSignal | undefined;
  /** Kills everything at once, during the start and after it. */
  killSignal?: AbortSignal | undefined;
  /** For tests of the launcher: other programs, and another way to the first workspace. */
  processes?: readonly LaunchedProcess[];
  createWorkspace?: typeof createFirstWorkspace;
  findTokenFault?: typeof findTokenFault;
};

/** A running system. Disposing stops all of it, in order, and leaves no process behind. */
export type System = AsyncDisposable & {
  /** The content of `local.json`; process ids change with restarts. */
  readonly local: LocalState;
  /** True on the first start of a data directory: its owner has not seen the token yet. */
  tokenIsNew: boolean;
  /** Why the token of the first start opens nothing any more; undefined while it does. */
  tokenFault: TokenFault | undefined;
  keys: SystemKeys;
  /** Where the RPCs of one of our processes are served. */
  rpcUrl: (name: string) => string;
  /** Where its /livez, /readyz and /metrics are. */
  opsUrl: (name: string) => string;
  /** Sends a signal to a process and resolves when it ended of it; it is started again, with back-off. */
  kill: (name: string, signal: NodeJS.Signals) => Promise<void>;
  /** Stops a process, which stays stopped until `start`. */
  stop: (name: string) => Promise<void>;
  /** Starts a stopped process and resolves when it is ready. */
  start: (name: string) => Promise<void>;
  /** Resolves when every process that is not stopped is ready. */
  waitReady: () => Promise<void>;
};

/**
 * Starts Canvass as processes of this machine: PostgreSQL and NATS (unless given), the databases with their
 * migrations, every service and the gateway; then creates the first workspace if there is none and writes
 * `local.json`. Several systems may run at once on different data directories.
 * Throws OperationalError (one sentence) for what a person can mend; whatever had been started is stopped then.
 */
export async function startSystem(options: StartSystemOptions): Promise<System> {
  await using cleanup = new AsyncDisposableStack();
  const { onProgress = () => {}, env = {}, createWorkspace = createFirstWorkspace } = options;
  const table = options.processes ?? PROCESSES;
  const processes = table.filter(({ name }) => options.services?.includes(name) ?? true);
  let file: LocalFile | undefined;
  const onEvent = (event: SupervisorEvent) => {
    options.onEvent?.(event);
    if (event.type === "ready") file?.update();
  };
  const { dataDir, port = 0, backOff = DEFAULT_BACK_OFF, signal, killSignal } = options;
  const tlsFiles = await systemTls(env);
  const host = env["CANVASS_HOST"] ?? "127.0.0.1";
  const launch = await openLaunch(
    { dataDir, host, port, processes: table, backOff, onProgress, onEvent, signal, killSignal },
    cleanup,
  );

  const servers = await startServers(launch, options, tlsFiles, onProgress);
  const settings = systemSettings(launch, servers.natsUrl, env["CANVASS_PUBLIC_URL"], tlsFiles);
  const databaseUrls = await prepareDatabases(launch, processes, servers.databaseUrl, onProgress);
  await startProcesses(launch, processes, settings, databaseUrls, env, onProgress);
  const { operatorKey, peerKey } = launch.keys;
  const access = { tokenUrl: rpcUrl(settings, "token"), tlsFiles };
  const { identity, isNew } = await keepIdentity(launch.dataDir.state, () =>
    step(onProgress, "First workspace", () => createWorkspace({ ...access, operatorKey })),
  );
  const judge = !isNew && processes.some(({ name }) => name === "token");
  const fault = judge
    ? await (options.findTokenFault ?? findTokenFault)({ ...access, peerKey }, identity.token)
    : undefined;
  signal?.throwIfAborted();

  const { publicUrl } = settings;
  const local = (): LocalState => {
    const running = runningProcesses(launch, settings, servers);
    const addresses = { baseUrl: `${publicUrl}/api/v1`, publicUrl, ...servers, ...(tlsFiles && { tlsFiles }) };
    return { ...identity, ...addresses, processes: running };
  };
  file = cleanup.use(await keepLocalFile(launch.dataDir.local, local));
  return operate(launch, settings, local, { tokenIsNew: isNew, tokenFault: fault }, cleanup.move());
}

function systemSettings(
  launch: Launch,
  natsUrl: string,
  publicUrl: string | undefined,
  tlsFiles: TlsFiles | undefined,
): SystemSettings {
  const { keys, ports, host, port } = launch;
  // A wildcard is an address to listen on, not one to go to.
  const reachable = ["0.0.0.0", "::", "::1"].includes(host) ? "localhost" : host;
  return {
    keys,
    ports,
    host,
    port,
    natsUrl,
    publicUrl: (publicUrl ?? `http://${reachable}:${port}`).replace(/\/+$/, ""),
    mailDir: launch.dataDir.mail,
    tlsFiles,
  };
}

function runningProcesses(launch: Launch, settings: SystemSettings, servers: Servers): LocalState["processes"] {
  const addresses: Record<string, string> = {
    gateway: settings.publicUrl,
    postgres: servers.databaseUrl,
    nats: servers.natsUrl,
  };
  return [...launch.plans.keys()].flatMap((name) => {
    const pid = launch.supervisor.pid(name);
    return pid === undefined ? [] : [{ name, pid, url: addresses[name] ?? rpcUrl(settings, name) }];
  });
}

function operate(
  { keys, supervisor, plans, run }: Launch,
  settings: SystemSettings,
  local: () => LocalState,
  token: Pick<System, "tokenIsNew" | "tokenFault">,
  running: AsyncDisposableStack,
): System {
  return {
    get local() {
      return local();
    },
    ...token,
    keys,
    rpcUrl: (name) => rpcUrl(settings, name),
    opsUrl: (name) => opsUrl(settings, name),
    kill: supervisor.kill,
    stop: supervisor.stop,
    async start(name) {
      const plan = plans.get(name);
      if (plan === undefined) throw new Error(`no process is called ${name}`);
      await run(plan);
    },
    waitReady: supervisor.waitAllReady,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
