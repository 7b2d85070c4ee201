import { timestampDate } from "@bufbuild/protobuf/wkt";
import { includesWebhooks } from "@canvass/access";
import type { Event } from "@canvass/proto/events";
import type { WebhookContext } from "../context.ts";
import { insertPlanChanges, type PlanChange } from "../storage/plan-changes.ts";

/** Neither order nor repetitions matter. */
export async function storePlans({ database }: WebhookContext, events: readonly Event[]): Promise<void> {
  const changes = events.flatMap(planChange);
  if (changes.length > 0) await insertPlanChanges(database.sql, changes);
}

function planChange({ workspaceId, occurredAt, body }: Event): PlanChange[] {
  if (body.case !== "workspacePlanChanged" || !occurredAt) return [];
  return [{ workspaceId, changedAt: timestampDate(occurredAt), hasWebhooks: includesWebhooks(body.value.plan) }];
}
