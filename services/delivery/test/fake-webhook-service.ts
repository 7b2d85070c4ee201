import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import { SubscriptionService } from "@canvass/proto/webhook";
import { startDouble } from "@canvass/service/testing";
import { newId } from "@canvass/values";
import { createSecretBox } from "@canvass/webhook-sender";

export interface FakeEndpoint {
  workspaceId: string;
  subscriptionId: string;
  url: string;
  /** Newest first. The second one signs for a day. */
  secrets: string[];
  status?: string;
  statusReason?: string;
  mode?: "push" | "pull";
  /** Default 1. */
  destinationRevision?: number;
  /** Default: since it was added. */
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
  /** If true, every call fails as if the service were unavailable. */
  away: boolean;
  /** Calls that failed so. */
  refusals: number;
  /** Workspaces that were asked for. */
  asked: string[];
  /** Disabling waits for this promise. */
  mayDisable: Promise<void> | undefined;
  /** Ids of subscriptions that cannot be disabled or paused. */
  stuck: Set<string>;
  /** Changes a webhook without pushing that, and returns the event. */
  change(endpoint: FakeEndpoint, fields: Partial<FakeEndpoint>): Event;
  remove(endpoint: FakeEndpoint): Event;
  /** Adds a webhook with its first revision, without pushing it. */
  add(endpoint: FakeEndpoint): void;
  /** Awaited before a request for webhooks is answered with the state that was read before. */
  onAsked: (() => Promise<unknown>) | undefined;
}

export interface FakeWebhookOptions {
  secretsKey: string;
  now: () => Date;
  /** Hands a change over to the service under test. */
  push: (event: Event) => Promise<unknown>;
}

interface History {
  revision: number;
  createdAt: Date;
  changedAt: Date;
  intervals: { intervalId: string; startedAt: Date; endedAt?: Date }[];
}

const DAY_MS = 86_400_000;
const isActive = ({ status = "active" }: FakeEndpoint) => status === "active";

export async function startFakeWebhookService(options: FakeWebhookOptions): Promise<FakeWebhookService> {
  const box = createSecretBox(options.secretsKey);
  const { now } = options;
  const histories = new Map<string, History>();
  const state = {
    endpoints: [] as FakeEndpoint[],
    disabled: [] as FakeWebhookService["disabled"],
    paused: [] as FakeWebhookService["paused"],
    health: new Map() as FakeWebhookService["health"],
    away: false,
    refusals: 0,
    asked: [] as string[],
    mayDisable: undefined as FakeWebhookService["mayDisable"],
    stuck: new Set<string>(),
    onAsked: undefined as FakeWebhookService["onAsked"],
  };
  const find = (ref: { workspaceId: string; subscriptionId: string }) =>
    state.endpoints.find((e) => e.workspaceId === ref.workspaceId && e.subscriptionId === ref.subscriptionId);

  /** The first interval begins long ago, so that events of any time match. */
  function historyOf(endpoint: FakeEndpoint): History {
    const begun = { intervalId: newId(now()), startedAt: new Date(0) };
    const first = { revision: 1, createdAt: now(), changedAt: now(), intervals: isActive(endpoint) ? [begun] : [] };
    const history = histories.get(endpoint.subscriptionId) ?? first;
    histories.set(endpoint.subscriptionId, history);
    return history;
  }

  function messages(endpoint: FakeEndpoint) {
    const { subscriptionId, url, secrets, status = "active", statusReason = "", destinationRevision = 1 } = endpoint;
    const { revision, createdAt, changedAt, intervals } = historyOf(endpoint);
    const [secret, former] = secrets.map((text) => box.seal(text, endpoint));
    const webhook = {
      subscriptionId,
      revision,
      changedAt: timestampFromDate(changedAt),
      status,
      statusReason,
      url,
      destinationRevision,
      activeSince: timestampFromDate(endpoint.activeSince ?? createdAt),
      sealedSecret: secret ?? new Uint8Array(),
      sealedFormerSecret: former ?? new Uint8Array(),
      ...(former && { formerUntil: timestampFromDate(new Date(now().getTime() + DAY_MS)) }),
    };
    const listened = intervals.map(({ intervalId, startedAt, endedAt }) => ({
      intervalId,
      subscriptionId,
      eventTypes: ["response.completed"],
      startedAt: timestampFromDate(startedAt),
      ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
    }));
    return { webhook, intervals: listened.slice(-2) };
  }

  function changeOf(endpoint: FakeEndpoint): Event {
    const { workspaceId, subscriptionId } = endpoint;
    const { webhook, intervals } = messages(endpoint);
    const value = { subscriptionId, status: webhook.status, revision: BigInt(webhook.revision), webhook, intervals };
    return newEvent({ workspaceId, occurredAt: now(), body: { case: "subscriptionChanged", value } });
  }

  function change(endpoint: FakeEndpoint, fields: Partial<FakeEndpoint>): Event {
    const history = historyOf(endpoint);
    const was = isActive(endpoint);
    Object.assign(endpoint, fields);
    history.revision += 1;
    history.changedAt = now();
    if (was && !isActive(endpoint)) history.intervals.at(-1)!.endedAt = now();
    if (!was && isActive(endpoint)) history.intervals.push({ intervalId: newId(now()), startedAt: now() });
    return changeOf(endpoint);
  }

  function remove(endpoint: FakeEndpoint): Event {
    state.endpoints.splice(state.endpoints.indexOf(endpoint), 1);
    const { workspaceId, subscriptionId } = endpoint;
    const value = { subscriptionId, status: "deleted" };
    return newEvent({ workspaceId, occurredAt: now(), body: { case: "subscriptionChanged", value } });
  }

  function add(endpoint: FakeEndpoint): void {
    histories.delete(endpoint.subscriptionId);
    state.endpoints.push(endpoint);
    historyOf(endpoint);
  }

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
      batchGetWebhooks: async ({ workspaceIds }) => {
        requirePresence();
        state.asked.push(...workspaceIds);
        const workspaces = workspaceIds.map((workspaceId) => {
          const own = state.endpoints.filter((e) => e.workspaceId === workspaceId && e.mode !== "pull").map(messages);
          return { webhooks: own.map(({ webhook }) => webhook), intervals: own.flatMap(({ intervals }) => intervals) };
        });
        await state.onAsked?.();
        return { workspaces };
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
        if (state.stuck.has(subscriptionId)) throw new AppError("service_unavailable");
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
        if (endpoint) await options.push(change(endpoint, { status, statusReason: reason }));
        return {};
      },
    });
  });
  const { url } = server;
  return Object.assign(state, {
    url,
    change,
    remove,
    add,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}
