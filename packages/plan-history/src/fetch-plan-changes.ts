import { unlessHanging } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import type { TokenService } from "@canvass/proto/token";
import type { RpcClient } from "@canvass/rpc";
import type { Logger } from "@canvass/telemetry";
import { storePlanChanges } from "./store-plan-changes.ts";

/** Fetches and stores plan changes that have not arrived yet. Returns false if that fails. */
export type FetchPlanChanges = (workspaceIds: readonly string[]) => Promise<boolean>;

const timeoutMs = 3_000;

export function createFetchPlanChanges(
  tokens: RpcClient<typeof TokenService>,
  { database: { sql }, log }: { database: { sql: Sql }; log: Logger },
): FetchPlanChanges {
  const fetch = unlessHanging(async (workspaceIds: readonly string[]) => {
    const { events } = await tokens.batchGetPendingPlanChanges({ workspaceIds: [...workspaceIds] }, { timeoutMs });
    await storePlanChanges(sql, events);
    return true;
  }, false);

  return async (workspaceIds) => {
    try {
      return await fetch(workspaceIds);
    } catch (err) {
      log.warn({ err, workspaces: workspaceIds.length }, "plans could not be asked for: what needs them waits");
      return false;
    }
  };
}
