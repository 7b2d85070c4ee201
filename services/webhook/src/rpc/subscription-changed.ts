import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";

export interface SubscriptionChange {
  workspaceId: string;
  subscriptionId: string;
  /** active, paused, disabled or deleted. */
  status: string;
  revision: number;
  destinationRevision: number;
}

export function subscriptionChanged(change: SubscriptionChange, occurredAt: Date): Event {
  const { workspaceId, subscriptionId, status, revision, destinationRevision } = change;
  const value = {
    subscriptionId,
    status,
    revision: BigInt(revision),
    destinationRevision: BigInt(destinationRevision),
  };
  return newEvent({ workspaceId, occurredAt, body: { case: "subscriptionChanged", value } });
}
