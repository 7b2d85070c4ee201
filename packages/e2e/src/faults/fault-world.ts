import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSystem, type StartSystemOptions, type System } from "@canvass/dev-env";
import type { ApiClient } from "../api-client.ts";
import { createWorkspace } from "../second-workspace.ts";
import { publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";
import { randomFrom } from "./random.ts";
import { startReceivers, type Hook, type Manner, type Receivers } from "./receivers.ts";
import { startWorldProcesses, type WorldProcesses } from "./world-processes.ts";

/** A workspace that collects responses, with its webhooks and a feed. */
export interface WatchedWorkspace {
  workspaceId: string;
  api: ApiClient;
  survey: SmallSurvey;
  hooks: readonly Hook[];
}

/** A complete system with everything that faults can hit. */
export interface FaultWorld extends AsyncDisposable {
  system: System;
  processes: WorldProcesses;
  receivers: Receivers;
  workspaces: readonly WatchedWorkspace[];
  dataDir: string;
}

/** Allows nine attempts, which outlast every fault. */
const retrySeconds = "1,2,3,5,8,12,20,30";
const mannersOf: readonly (readonly Manner[])[] = [["quick", "fails at first"], ["slow"], ["quick"]];

export async function startFaultWorld(seed: number, options: Partial<StartSystemOptions> = {}): Promise<FaultWorld> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "canvass-faults-"));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const receivers = starting.use(await startReceivers(randomFrom(seed)));
  const caFile = join(dataDir, "receiver-ca.pem");
  await writeFile(caFile, receivers.ca);
  const webhooks = {
    CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
    CANVASS_WEBHOOK_CA_FILE: caFile,
    CANVASS_WEBHOOK_RETRY_SECONDS: retrySeconds,
  };
  const env = { ...webhooks, CANVASS_RATE_LIMITS: "off", CANVASS_LOG_LEVEL: "warn", ...options.env };
  const system = starting.use(await startSystem({ ...options, dataDir, env }));
  const processes = starting.use(await startWorldProcesses(system, webhooks));
  const workspaces = await Promise.all(
    mannersOf.map(async (manners) => {
      const { workspaceId, api } = starting.use(await createWorkspace(system));
      return prepareWatchedWorkspace(
        workspaceId,
        api,
        manners.map((manner) => receivers.addHook(manner)),
      );
    }),
  );
  const running = starting.move();
  const dispose = () => running.disposeAsync();
  return { system, processes, receivers, workspaces, dataDir, [Symbol.asyncDispose]: dispose };
}

/** Publishes a survey in the workspace and creates a feed and webhook subscriptions. */
export async function prepareWatchedWorkspace(
  workspaceId: string,
  api: ApiClient,
  hooks: readonly Hook[],
): Promise<WatchedWorkspace> {
  const survey = await publishSmallSurvey(api);
  await api.post("/event-subscriptions", { name: "Feed" });
  for (const hook of hooks) {
    const { data } = await api.post("/event-subscriptions", { name: hook.manner, url: hook.url });
    hook.trust(data.secret);
  }
  return { workspaceId, api, survey, hooks };
}
