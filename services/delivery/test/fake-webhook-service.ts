import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { SubscriptionService } from "@canvass/proto/webhook";
import { startDouble } from "@canvass/service/testing";

export interface FakeEndpoint {
  workspaceId: string;
  subscriptionId: string;
  url: string;
  secrets: string[];
  status?: string;
  statusReason?: string;
  mode?: "push" | "pull";
  /** Default 1. */
  destinationRevision?: number;
  activeSince?: Date;
}

export interface FakeWebhookService extends AsyncDisposable {
  url: string;
  endpoints: FakeEndpoint[];
  disabled: { subscriptionId: string; reason: string }[];
  /** Reports of paused webhooks. */
  paused: { subscriptionId: string; failedAttempts: number; lastSuccessAt: Date | undefined }[];
  /** Last report by subscription. */
  health: Map<string, { failures: number; lastSuccessAt: Date | undefined }>;
  /** Workspaces whose plan is undecided. */
  undecided: Set<string>;
  /** If true, every call fails as if the service were unavailable. */
  away: boolean;
  refusals: number;
  lookUps: number;
  /** Disabling waits for this promise. */
  mayDisable: Promise<void> | undefined;
  /** Called before each look-up of endpoints. */
  onLookUp: (() => void) | undefined;
}

export async function startFakeWebhookService(): Promise<FakeWebhookService> {
  const state = {
    endpoints: [] as FakeEndpoint[],
    disabled: [] as FakeWebhookService["disabled"],
    paused: [] as FakeWebhookService["paused"],
    health: new Map() as FakeWebhookService["health"],
    undecided: new Set<string>(),
    away: false,
    refusals: 0,
    lookUps: 0,
    mayDisable: undefined as FakeWebhookService["mayDisable"],
    onLookUp: undefined as FakeWebhookService["onLookUp"],
  };
  const find = (ref: { workspaceId: string; subscriptionId: string }) =>
    state.endpoints.find((e) => e.workspaceId === ref.workspaceId && e.subscriptionId === ref.subscriptionId);
  const refOf = ({ workspaceId, subscriptionId }: FakeEndpoint) => ({ workspaceId, subscriptionId });
  const endpointOf = (endpoint: FakeEndpoint | undefined) => {
    if (!endpoint) return { status: "absent" };
    if (state.undecided.has(endpoint.workspaceId)) return { status: "undecided" };
    const { url, secrets, status = "active", statusReason = "", destinationRevision = 1, activeSince } = endpoint;
    const since = activeSince && { activeSince: timestampFromDate(activeSince) };
    return { url, secrets, status, statusReason, destinationRevision, ...since };
  };
  const requirePresence = () => {
    if (!state.away) return;
    state.refusals += 1;
    throw new AppError("service_unavailable");
  };
  const server = await startDouble((router) => {
    router.service(SubscriptionService, {
      getSubscription: async ({ subscriptionId }) => {
        requirePresence();
        const found = state.endpoints.find((e) => e.subscriptionId === subscriptionId);
        if (!found) throw new AppError("subscription_not_found");
        return { subscription: { subscriptionId, mode: found.mode ?? "push", status: found.status ?? "active" } };
      },
      batchMatchWebhooks: async ({ events }) => {
        requirePresence();
        const listening = state.endpoints.filter(
          ({ workspaceId, status = "active" }) => status === "active" && !state.undecided.has(workspaceId),
        );
        const matches = events.map(({ workspaceId }) => ({
          undecided: state.undecided.has(workspaceId),
          subscriptionIds: listening.filter((e) => e.workspaceId === workspaceId).map((e) => e.subscriptionId),
        }));
        const workspaceIds = new Set(events.map(({ workspaceId }) => workspaceId));
        const matched = listening.filter(({ workspaceId }) => workspaceIds.has(workspaceId)).slice(0, 500);
        return { matches, endpoints: matched.map((ref) => ({ ref: refOf(ref), endpoint: endpointOf(ref) })) };
      },
      batchGetEndpoints: async ({ endpoints }) => {
        requirePresence();
        state.lookUps += 1;
        state.onLookUp?.();
        return { endpoints: endpoints.map((ref) => endpointOf(find(ref))) };
      },
      batchReportEndpointHealth: async ({ reports }) => {
        requirePresence();
        for (const report of reports) {
          state.health.set(report.subscriptionId, {
            failures: report.consecutiveFailures,
            lastSuccessAt: report.lastSuccessAt && timestampDate(report.lastSuccessAt),
          });
        }
        return {};
      },
      disableSubscription: async ({ reason, destinationRevision, failedAttempts, lastSuccessAt, ...ref }) => {
        requirePresence();
        await state.mayDisable;
        const { subscriptionId } = ref;
        const endpoint = find(ref);
        if (endpoint && ![0, endpoint.destinationRevision ?? 1].includes(destinationRevision)) return {};
        if (reason === "failing") {
          if (!endpoint || (endpoint.status ?? "active") !== "active") return {};
          state.paused.push({
            subscriptionId,
            failedAttempts,
            lastSuccessAt: lastSuccessAt && timestampDate(lastSuccessAt),
          });
        } else state.disabled.push({ subscriptionId, reason });
        const status = reason === "failing" ? "paused" : "disabled";
        if (endpoint) Object.assign(endpoint, { status, statusReason: reason });
        return {};
      },
    });
  });
  return Object.assign(state, { url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}
