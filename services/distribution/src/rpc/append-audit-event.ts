import type { AuditAction } from "@canvass/access";
import { auditEvent, changedParts, type AuditedState } from "@canvass/events";
import type { Call } from "@canvass/rpc";
import type { DistributionTransaction } from "../context.ts";
import type { StoredSettings } from "../domain/distributor-settings.ts";
import type { StoredDistributor } from "../storage/distributors.ts";

type DistributorAction = Extract<AuditAction, `distributor.${string}`>;

export async function appendAuditEvent(
  { publish }: DistributionTransaction,
  call: Call,
  {
    distributorId,
    ...change
  }: {
    distributorId: string;
    at: Date;
    action: DistributorAction;
    before?: AuditedState;
    after?: AuditedState;
  },
): Promise<void> {
  await publish(auditEvent(call, { source: "distribution", resourceId: distributorId, ...change }));
}

/** Returns the audited state, without codes. A password reads "changed" if it differs from that of `before`. */
export function auditedDistributor(distributor: StoredDistributor, before = distributor): AuditedState {
  const { surveyId, type, name, status, settings } = distributor;
  return { surveyId, type, name, status, settings: auditedSettings(settings, before.settings) };
}

export function auditedUpdate(was: StoredDistributor, is: StoredDistributor) {
  const [before, after] = changedParts(auditedDistributor(was), auditedDistributor(is, was));
  return { before, after };
}

function auditedSettings({ passwordHash, ...settings }: StoredSettings, before: StoredSettings): AuditedState {
  if (passwordHash === undefined) return settings;
  const isAnother = before.passwordHash !== undefined && before.passwordHash !== passwordHash;
  return { ...settings, password: isAnother ? "changed" : "set" };
}
