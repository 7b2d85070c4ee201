import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import { newId } from "@canvass/values";
import { newEvent } from "@canvass/events";
import type { SetPlanRequest, SetPlanResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { planViolations } from "../domain/named-fields.ts";
import { insertAuditEntry, operatorOf } from "../storage/audit-log.ts";
import { savePlan, lockWorkspace } from "../storage/workspaces.ts";

/** Takes effect at once: the event makes gateways drop cached callers. */
export async function setPlan(
  context: TokenContext,
  { workspaceId, plan }: SetPlanRequest,
  call: Call,
): Promise<MessageInitShape<typeof SetPlanResponseSchema>> {
  const violations = planViolations(plan);
  if (violations.length > 0) throw validationFailed(violations);
  await context.write(async (transaction) => {
    const { prisma } = transaction;
    const before = await lockWorkspace(transaction, workspaceId);
    if (before.plan === plan) return;
    // Under the lock, so that a transaction that gets the lock after this one sees every change of an earlier time.
    const now = context.now();
    const changedAt = laterOf(now, before.updatedAt);
    const body = { case: "workspacePlanChanged", value: { plan } } as const;
    const event = newEvent({ eventId: newId(now), workspaceId, occurredAt: changedAt, body });
    await savePlan(prisma, workspaceId, plan, changedAt);
    await insertAuditEntry(prisma, {
      workspaceId,
      at: now,
      by: operatorOf(call),
      action: "workspace.plan_changed",
      resourceId: workspaceId,
      before: { plan: before.plan },
      after: { plan },
    });
    await transaction.publish(event);
  });
  return {};
}

/** Consumers order changes by time, so each change is later than the last, even after the clock was set back. */
function laterOf(now: Date, before: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}
