import { bundledProcesses } from "./bundled-processes.ts";
import { dataDirPaths } from "./data-dir.ts";
import { inChild } from "./in-child.ts";
import { ensureIdentity } from "./ensure-identity.ts";
import type { SystemKeys, TlsFiles } from "@canvass/provisioning";
import { openLaunch } from "./launch.ts";
import type { Launch } from "./launch.ts";
import { keepLocalFile } from "./local-file.ts";
import type { LocalFile } from "./local-file.ts";
import type { LocalState } from "@canvass/operator/local-file";
import type { TokenFault } from "@canvass/operator/token-fault";
import { opsUrl, rpcUrl } from "./process-settings.ts";
import type { LaunchedProcess, SystemSettings } from "./process-settings.ts";
import { step } from "./progress.ts";
import type { OnProgress } from "./progress.ts";
import { prepareDatabases, startProcesses, startServers } from "./start-parts.ts";
import type { Servers } from "./start-parts.ts";
import type { Preparations } from "./preparations.ts";
import type { SupervisorEvent } from "./supervised-process.ts";
import { requireUsableTls } from "@canvass/provisioning";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { resolve } from "node:path";

export type StartSystemOptions = {
  dataDir: string;
  /** The gateway's port. 0 or absent: a free port, the same on every start. */
  port?: number | undefined;
  /** For a role that may create databases and roles. Default: starts a server. */
  databaseUrl?: string | undefined;
  /** False for throw-away systems: a crash loses commits. Default true. */
  durable?: boolean;
  natsUrl?: string | undefined;
  env?: Readonly<Record<string, string>>;
  onProgress?: OnProgress | undefined;
  onEvent?: ((event: SupervisorEvent) => void) | undefined;
  services?: readonly string[];
  /** Pause before a process that died is restarted. Default: a second. */
  restartMs?: number | undefined;
  /** Ends the start: stops everything in order and rejects. */
  signal?: AbortSignal | undefined;
  /** Kills everything, also after the start. */
  killSignal?: AbortSignal | undefined;
  /** For tests of the launcher. */
  processes?: readonly LaunchedProcess[];
  prepareDatabases?: Preparations["prepareDatabases"] | undefined;
  createWorkspace?: Preparations["createFirstWorkspace"] | undefined;
  findTokenFault?: Preparations["findTokenFault"];
};

export type System = AsyncDisposable & {
  /** The content of `local.json`. Process ids change with restarts. */
  readonly local: LocalState;
  /** True on the first start: the token has not been shown. */
  tokenIsNew: boolean;
  /** Why the first token is not valid; undefined if it is. */
  tokenFault: TokenFault | undefined;
  keys: SystemKeys;
  rpcUrl: (name: string) => string;
  mainOf: (name: string) => string;
  opsUrl: (name: string) => string;
  /** Resolves when the signal has ended the process. The supervisor restarts it. */
  kill: (name: string, signal: NodeJS.Signals) => Promise<void>;
  stop: (name: string) => Promise<void>;
  start: (name: string) => Promise<void>;
  waitReady: () => Promise<void>;
};

/** Starts servers unless given, services and gateway; creates the first workspace. Throws OperationalError. */
export async function startSystem(options: StartSystemOptions): Promise<System> {
  await using cleanup = new AsyncDisposableStack();
  const { onProgress = () => {}, env = {} } = options;
  const {
    prepareDatabases: prepare = (adminUrl, databases) => inChild("prepareDatabases", adminUrl, databases),
    createWorkspace = (access) => inChild("createFirstWorkspace", access),
    findTokenFault = (access, token) => inChild("findTokenFault", access, token),
  } = options;
  const programs = dataDirPaths(options.dataDir).programs;
  const table = options.processes ?? bundledProcesses(programs);
  const processes = table.filter(({ name }) => options.services?.includes(name) ?? true);
  let file: LocalFile | undefined;
  const onEvent = (event: SupervisorEvent) => {
    options.onEvent?.(event);
    if (event.type === "ready") file?.update();
  };
  const { dataDir, port = 0, restartMs, signal, killSignal } = options;
  const tlsFiles = await requireUsableTls(env);
  const host = env["CANVASS_HOST"] ?? "127.0.0.1";
  const launch = await openLaunch(
    { dataDir, host, port, processes: table, restartMs, onProgress, onEvent, signal, killSignal },
    cleanup,
  );

  const bundle = () => step(onProgress, "Programs", () => inChild("bundlePrograms", programs));
  const [servers] = await launch.together([
    startServers(launch, options, tlsFiles, onProgress),
    options.processes ? Promise.resolve() : bundle(),
  ]);
  const settings = systemSettings(launch, servers.natsUrl, env["CANVASS_PUBLIC_URL"], tlsFiles);
  const databaseUrls = await prepareDatabases(launch, processes, servers.databaseUrl, prepare, onProgress);
  await startProcesses(launch, processes, settings, databaseUrls, env, onProgress);
  const { operatorKey, peerKey } = launch.keys;
  const access = { tokenUrl: rpcUrl(settings, "token"), tlsFiles };
  const { identity, isNew } = await ensureIdentity(launch.dataDir.state, () =>
    step(onProgress, "First workspace", () => createWorkspace({ ...access, operatorKey })),
  );
  const validate = !isNew && processes.some(({ name }) => name === "token");
  const fault = validate ? await findTokenFault({ ...access, peerKey }, identity.token) : undefined;
  signal?.throwIfAborted();

  const { publicUrl } = settings;
  const local = (): LocalState => {
    const running = runningProcesses(launch, settings, servers);
    const addresses = { baseUrl: `${publicUrl}/api/v1`, publicUrl, ...servers, ...(tlsFiles && { tlsFiles }) };
    return { ...identity, ...addresses, processes: running };
  };
  file = cleanup.use(await keepLocalFile(launch.dataDir.local, local));
  return operate(launch, table, settings, local, { tokenIsNew: isNew, tokenFault: fault }, cleanup.move());
}

function systemSettings(
  launch: Launch,
  natsUrl: string,
  publicUrl: string | undefined,
  tlsFiles: TlsFiles | undefined,
): SystemSettings {
  const { keys, ports, host, port } = launch;
  // A process can listen on a wildcard address, but callers need a host.
  const reachable = ["0.0.0.0", "::", "::1"].includes(host) ? "localhost" : host;
  return {
    keys,
    ports,
    host,
    port,
    natsUrl,
    publicUrl: (publicUrl ?? `http://${reachable}:${port}`).replace(/\/+$/, ""),
    mailDir: launch.dataDir.mail,
    filesDir: launch.dataDir.files,
    tlsFiles,
  };
}

function runningProcesses(launch: Launch, settings: SystemSettings, servers: Servers): LocalState["processes"] {
  const addresses: Record<string, string> = {
    gateway: settings.publicUrl,
    postgres: servers.databaseUrl,
    nats: servers.natsUrl,
  };
  const opsOf = (name: string) => (settings.ports[`${name}:ops`] ? { opsUrl: opsUrl(settings, name) } : {});
  return [...launch.plans.keys()].flatMap((name) => {
    const pid = launch.supervisor.pid(name);
    return pid === undefined ? [] : [{ name, pid, url: addresses[name] ?? rpcUrl(settings, name), ...opsOf(name) }];
  });
}

function operate(
  { keys, supervisor, plans, run }: Launch,
  table: readonly LaunchedProcess[],
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
    mainOf: (name) => resolve(WORKSPACE_ROOT, table.find((each) => each.name === name)!.main),
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
