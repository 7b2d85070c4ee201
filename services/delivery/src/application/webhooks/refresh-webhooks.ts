import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createBatcher, unlessHanging } from "@canvass/fairness";
import { insertPlanChanges } from "@canvass/plan-history";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { SubscriptionService, WorkspaceWebhooks } from "@canvass/proto/webhook";
import type { RpcClient } from "@canvass/rpc";
import type { DeliveryShell } from "../../context.ts";
import { findVersions, lockUnchanged, markKnown, type WorkspaceVersion } from "../../storage/known-workspaces.ts";
import { deleteIntervals, putIntervals } from "../../storage/listening-intervals.ts";
import { deleteOtherWebhooks, putWebhooks } from "../../storage/webhooks.ts";
import { intervalFromMessage, webhookFromMessage } from "./webhook-from-message.ts";

/** Fetches and stores the webhooks of a workspace. Never rejects: without a response it stays unknown. */
export type RefreshWebhooks = (workspaceId: string) => Promise<void>;

const MAX_WORKSPACES = 10;
/** An answer is not stored if a change arrived meanwhile: then the workspace is asked for again. */
const TRIES = 3;
/** A request may wait for half of it; the other half is the time limit of each call. */
const deadlineMs = 4_000;

export function createRefreshWebhooks(
  subscriptions: Pick<RpcClient<typeof SubscriptionService>, "batchGetWebhooks">,
  { database, log, now }: Pick<DeliveryShell, "database" | "log" | "now">,
): RefreshWebhooks {
  async function refreshAll(workspaceIds: readonly string[], timeoutMs: number): Promise<void> {
    let unknown = workspaceIds;
    for (let tries = 0; tries < TRIES && unknown.length > 0; tries++) {
      const versions = await findVersions(database.sql, unknown);
      const { workspaces } = await subscriptions.batchGetWebhooks({ workspaceIds: [...unknown] }, { timeoutMs });
      const answers = unknown.map((workspaceId, index) => ({ workspaceId, ...workspaces[index]! }));
      const stored = await inTransaction(database.pool, (sql) => storeAnswers(sql, versions, answers, now()), {
        retryOnce: true,
      });
      unknown = unknown.filter((workspaceId) => !stored.has(workspaceId));
    }
  }

  const ask = createBatcher<string, void>({
    maxSize: MAX_WORKSPACES,
    maxInFlight: 4,
    maxQueued: Number.POSITIVE_INFINITY,
    deadlineMs,
    send: async (workspaceIds, timeoutMs) => {
      try {
        await refreshAll([...new Set(workspaceIds)], timeoutMs);
      } catch (err) {
        log.warn({ err, workspaces: workspaceIds.length }, "webhooks could not be asked for: their deliveries wait");
        throw err;
      }
      return workspaceIds.map(() => undefined);
    },
  });
  const refreshOne = unlessHanging(ask, undefined);

  return (workspaceId) => refreshOne(workspaceId).catch(() => undefined);
}

type Answer = WorkspaceWebhooks & { workspaceId: string };

/** Replaces the webhooks of workspaces that have not changed since they were asked for. Returns those workspaces. */
async function storeAnswers(
  sql: Sql,
  versions: readonly WorkspaceVersion[],
  answers: readonly Answer[],
  now: Date,
): Promise<Set<string>> {
  const unchanged = await lockUnchanged(sql, versions);
  const current = answers.filter(({ workspaceId }) => unchanged.has(workspaceId));
  const workspaceIds = [...unchanged];
  const webhooks = current.flatMap((each) => each.webhooks.map((one) => webhookFromMessage(each.workspaceId, one)));
  const intervals = current.flatMap((each) => each.intervals.map((one) => intervalFromMessage(each.workspaceId, one)));
  const plans = current.flatMap(({ workspaceId, planChanges }) =>
    planChanges.flatMap(({ changedAt, hasWebhooks }) =>
      changedAt ? [{ workspaceId, changedAt: timestampDate(changedAt), hasWebhooks }] : [],
    ),
  );
  await deleteOtherWebhooks(sql, workspaceIds, webhooks, now);
  await putWebhooks(sql, webhooks);
  await deleteIntervals(sql, workspaceIds);
  await putIntervals(sql, intervals);
  if (plans.length > 0) await insertPlanChanges(sql, plans);
  await markKnown(sql, workspaceIds);
  return unchanged;
}
