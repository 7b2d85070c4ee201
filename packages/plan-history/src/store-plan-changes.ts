import { timestampDate } from "@bufbuild/protobuf/wkt";
import { includesWebhooks } from "@canvass/access";
import type { Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import { insertPlanChanges, type PlanChange } from "./plan-changes.ts";

export async function storePlanChanges(sql: Sql, events: readonly Event[]): Promise<void> {
  const changes = events.flatMap(planChange);
  if (changes.length > 0) await insertPlanChanges(sql, changes);
}

function planChange({ workspaceId, occurredAt, body }: Event): PlanChange[] {
  if (body.case !== "workspacePlanChanged" || !occurredAt) return [];
  return [{ workspaceId, changedAt: timestampDate(occurredAt), hasWebhooks: includesWebhooks(body.value.plan) }];
}
