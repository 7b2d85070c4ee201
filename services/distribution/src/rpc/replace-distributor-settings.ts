import { hashPassword } from "@canvass/access";
import {
  distributorSettingsBody,
  readBody,
  refuseViolations,
  requireIfMatch,
  type DistributorSettingsBody,
} from "@canvass/inputs";
import { findReplay } from "@canvass/postgres/rpc";
import {
  ReplaceDistributorSettingsResponseSchema,
  type ReplaceDistributorSettingsRequest,
  type ReplaceDistributorSettingsResponse,
} from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../context.ts";
import {
  keptPasswordViolations,
  requireSettingsPlan,
  settingsViolations,
  storedSettings,
} from "../domain/distributor-settings.ts";
import { saveDistributor } from "../storage/distributors.ts";
import { pushDistributor, recordCollecting } from "./collecting-change.ts";
import { distributorMessage } from "./distributor-message.ts";
import { resultsIfKnown } from "./distributor-results.ts";
import { auditedUpdate, appendAuditEvent } from "./append-audit-event.ts";
import { requireMatchingDistributor, timeOfChange } from "./require-distributor.ts";
import { writeCollecting } from "./write-collecting.ts";

/** Replaces all settings; omitted ones return to their defaults. */
export async function replaceDistributorSettings(
  context: DistributionContext,
  { distributorId, ifMatch, bodyJson }: ReplaceDistributorSettingsRequest,
  call: Call,
): Promise<ReplaceDistributorSettingsResponse> {
  const { workspaceId, plan, timeZone } = call.caller;
  const key = { workspaceId, distributorId };
  // A replay is neither validated nor hashed again.
  const replay = await findReplay(context.database.sql, call, ReplaceDistributorSettingsResponseSchema, context.now());
  if (replay) {
    await pushDistributor(context, key);
    return replay;
  }
  requireIfMatch(ifMatch);
  const given = readSettings(bodyJson);
  const { password } = given;
  const newHash = typeof password === "string" ? await hashPassword(password) : undefined;
  const results = await resultsIfKnown(context, key);
  return writeCollecting(context, call, ReplaceDistributorSettingsResponseSchema, key, async (transaction) => {
    const distributor = await requireMatchingDistributor(transaction, key, ifMatch);
    const { settings: before } = distributor;
    refuseViolations(keptPasswordViolations(given, before));
    requireSettingsPlan(given, plan, { stored: before });
    const settings = storedSettings(given, password === true ? before.passwordHash : newHash);
    const at = timeOfChange(distributor, context.now());
    const updated = await saveDistributor(transaction.prisma, distributor, { settings, timeZone }, at);
    await recordCollecting(transaction, updated, at);
    const states = auditedUpdate(distributor, updated);
    await appendAuditEvent(transaction, call, { at, action: "distributor.updated", distributorId, ...states });
    return { distributor: distributorMessage(updated, at, results) };
  });
}

function readSettings(bodyJson: string): DistributorSettingsBody {
  const body = readBody(distributorSettingsBody, bodyJson);
  refuseViolations(settingsViolations(body));
  return body;
}
