import { newEvent, type NewEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import type { DistributionContext, DistributionTransaction } from "../context.ts";
import type { DistributorKey, StoredDistributor } from "../storage/distributors.ts";
import { findLinksOfDistributors } from "../storage/links.ts";
import { linkMessage } from "./link-message.ts";

type Change = Extract<NewEvent["body"], { case: "collectingChanged" }>["value"]["change"];

/** Publishes the distributor's new collecting state in the transaction of the change. */
export async function recordCollecting(
  { publish }: DistributionTransaction,
  { settings, ...distributor }: StoredDistributor,
  at: Date,
): Promise<void> {
  const link = {
    ...distributor,
    settingsJson: JSON.stringify(settings),
    linkId: null,
    contactId: null,
    language: null,
    firstName: null,
  };
  await publish(collectingEvent(distributor.workspaceId, { case: "link", value: linkMessage(link) }, at));
}

/** Returns when the response service applies the distributor's current collecting state. */
export async function pushDistributor(
  { database, pushCollecting, now }: DistributionContext,
  key: DistributorKey,
): Promise<void> {
  const [row] = await findLinksOfDistributors(database.hot.sql, [key]);
  // If the distributor was deleted in the meantime, the deletion pushes its own change.
  if (row) await pushCollecting(collectingEvent(key.workspaceId, { case: "link", value: linkMessage(row) }, now()));
}

export function deletedLinkEvent({ workspaceId, distributorId, surveyId }: DeletedLink, at: Date): Event {
  const value = { found: false, workspaceId, distributorId, surveyId };
  return collectingEvent(workspaceId, { case: "link", value }, at);
}

export interface DeletedLink extends DistributorKey {
  surveyId: string;
}

export function goneContactsEvent(
  workspaceId: string,
  contactIds: readonly string[],
  status: "anonymized" | "deleted",
  at: Date,
): Event {
  return collectingEvent(workspaceId, { case: "contacts", value: { contactIds: [...contactIds], status } }, at);
}

function collectingEvent(workspaceId: string, change: Change, occurredAt: Date): Event {
  const body = { case: "collectingChanged" as const, value: { change } };
  return newEvent({ workspaceId, occurredAt, source: "distribution", body });
}
