import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSystem, type StartSystemOptions } from "@canvass/dev-env";
import type { EvaluatedWorld } from "../faults/evaluate.ts";
import { prepareWatchedWorkspace } from "../faults/fault-world.ts";
import { randomFrom } from "../faults/random.ts";
import { startReceivers } from "../faults/receivers.ts";
import { createWorkspace } from "../second-workspace.ts";
import { balance } from "./balancer.ts";
import { openAddresses, replicaEnvironment, startReplicas, type Replica } from "./replicas.ts";
import { startTally, type Tally } from "./tally.ts";

/** A system with two replicas of each process. Callers reach it through a balancer. */
export interface RollingWorld extends AsyncDisposable, EvaluatedWorld {
  replicas: readonly Replica[];
  tally: Tally;
  databaseUrl: string;
  /** Events of processes that died or had to be killed. */
  deaths: readonly string[];
}

/** Longer than a balancer needs to notice. */
const drainDelayMs = 1_500;

/** Keeps `options.dataDir`, with the logs, if given; otherwise uses a temporary one. */
export async function startRollingWorld(options: Partial<StartSystemOptions> = {}): Promise<RollingWorld> {
  await using starting = new AsyncDisposableStack();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "canvass-rolling-")));
  if (options.dataDir === undefined) starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const receivers = starting.use(await startReceivers(randomFrom(1)));
  const caFile = join(dataDir, "receiver-ca.pem");
  await writeFile(caFile, receivers.ca);
  const addresses = openAddresses(dataDir);
  const env = {
    ...replicaEnvironment(dataDir),
    CANVASS_DRAIN_DELAY_MS: String(drainDelayMs),
    CANVASS_RATE_LIMITS: "off",
    CANVASS_LOG_LEVEL: "warn",
    CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
    CANVASS_WEBHOOK_CA_FILE: caFile,
    ...options.env,
  };
  const deaths: string[] = [];
  const onEvent: StartSystemOptions["onEvent"] = (event) =>
    void (event.type === "ready" || deaths.push(JSON.stringify(event)));
  const system = starting.use(await startSystem({ ...options, dataDir, env, onEvent }));
  const { all: replicas } = starting.use(await startReplicas(system, addresses, dataDir, env));
  const balancer = starting.use(balance(replicas.filter(({ name }) => name === "gateway")));
  const tally = startTally();
  const workspaces = await Promise.all(
    [0, 1].map(async () => {
      const { workspaceId, token } = starting.use(await createWorkspace(system));
      const api = tally.counted(balancer.client(token));
      return prepareWatchedWorkspace(workspaceId, api, [receivers.addHook("quick")]);
    }),
  );
  const running = starting.move();
  return {
    dataDir,
    receivers,
    workspaces,
    replicas,
    tally,
    deaths,
    databaseUrl: system.local.databaseUrl,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
