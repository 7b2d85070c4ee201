import { refuseFaults, type Fault } from "@canvass/inputs";
import type { StartRespondentRequest } from "@canvass/proto/response";
import type { ResponseContext } from "../context.ts";
import { distributorFaults } from "../domain/links/link.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { isLinkFull } from "../storage/response-quota.ts";

type Origin = Pick<StartRespondentRequest, "distributorId" | "contactId">;

/**
 * Throws `validation_failed` for a distributor that is not the survey's or does not collect, and for a contact that does not
 * exist or is anonymized. Asks nobody where neither is named.
 */
export async function requireOrigin(
  context: ResponseContext,
  ref: SurveyRef,
  { distributorId, contactId }: Origin,
  now: Date,
): Promise<void> {
  const faults = await Promise.all([
    distributorId === "" ? [] : linkFaults(context, ref, distributorId, now),
    contactId === "" ? [] : contactFaults(context, ref, contactId),
  ]);
  refuseFaults(faults.flat());
}

async function linkFaults(
  { links, database }: ResponseContext,
  ref: SurveyRef,
  distributorId: string,
  now: Date,
): Promise<Fault[]> {
  const link = await links.byDistributor({ workspaceId: ref.workspaceId, distributorId });
  const faults = distributorFaults(link, ref, now);
  if (faults.length > 0 || !(await isLinkFull(database.sql, link))) return faults;
  return [{ path: "distributorId", message: "does not collect (link_limit)" }];
}

async function contactFaults(
  { findContactStatus }: ResponseContext,
  { workspaceId }: SurveyRef,
  contactId: string,
): Promise<Fault[]> {
  const status = await findContactStatus({ workspaceId, contactId });
  if (status === "") return [{ path: "contactId", message: "is not a contact of this workspace" }];
  return status === "anonymized" ? [{ path: "contactId", message: "is anonymized" }] : [];
}
