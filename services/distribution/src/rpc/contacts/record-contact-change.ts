import type { AuditAction } from "@canvass/access";
import { auditEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import type { Call } from "@canvass/rpc";
import type { DistributionTransaction } from "../../context.ts";
import type { Contact } from "../../domain/contacts/contact.ts";
import { addStatusCounts, incrementCount, type StatusCounts } from "../../storage/contacts/contact-counters.ts";
import type { ActivityKind } from "../../domain/contacts/activity.ts";
import { insertActivities } from "../../storage/contacts/contact-activities.ts";

export interface ContactChange {
  kind: ActivityKind;
  action: AuditAction;
  before?: Contact;
  after: Contact;
  /** Names only: neither the audit log nor the activity contains values. */
  fields: readonly string[];
}

export async function recordContactChange(
  { sql, publish }: DistributionTransaction,
  call: Call,
  { kind, action, before, after, fields }: ContactChange,
): Promise<void> {
  const { workspaceId, contactId, updatedAt: at } = after;
  const activity = { activityId: newId(at), kind, at, changedFields: fields, importId: "", distributorId: "" };
  await insertActivities(sql, [{ workspaceId, contactId, ...activity }]);
  const changes: Partial<StatusCounts> = {};
  incrementCount(changes, after.status, 1);
  if (before) incrementCount(changes, before.status, -1);
  await addStatusCounts(sql, workspaceId, changes);
  await publish(auditEvent(call, { source: "distribution", at, action, resourceId: contactId, after: { fields } }));
}
