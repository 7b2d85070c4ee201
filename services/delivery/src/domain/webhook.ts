import { RETRY_WINDOW_MS } from "./retry-schedule.ts";

/** Where the deliveries of a webhook go. */
export interface Webhook {
  workspaceId: string;
  subscriptionId: string;
  revision: number;
  /** active, paused, disabled or deleted. */
  status: string;
  /** gone or blocked if the platform disabled it, failing if it paused it. */
  statusReason: string;
  url: string;
  /** `whsec_` and base64, newest first. Empty: none can be opened. */
  secrets: readonly string[];
  destinationRevision: number;
  /** When it was created, was last resumed, or got its address. */
  activeSince: Date;
  /** Whether the plan has webhooks now. */
  hasWebhooks: boolean;
}

export function takesDeliveries({ status, secrets, hasWebhooks }: Webhook): boolean {
  return status === "active" && secrets.length > 0 && hasWebhooks;
}

export type QueueCancelReason = "deleted" | "plan" | "gone";

/** Why the webhook's queue is to be cancelled; undefined if it is kept. */
export function whyCancelled({ status, statusReason, hasWebhooks }: Webhook): QueueCancelReason | undefined {
  if (status === "deleted") return "deleted";
  if (!hasWebhooks) return "plan";
  return statusReason === "gone" ? "gone" : undefined;
}

/** Deliveries created up to this time were too old when the webhook was resumed (contract 8.5). */
export function tooOldUntil(resumedAt: Date): Date {
  return new Date(resumedAt.getTime() - RETRY_WINDOW_MS);
}

export type WebhookChange = "repeated" | "next" | "unrelated";

export interface WebhookVersion {
  revision: number;
  changedAt: Date;
  status: string;
}

/**
 * How a pushed state relates to the stored one. `unrelated`: the webhook is new, changes between them are missing, the
 * state is late, or its owner was restored from a backup.
 */
export function compareVersions(stored: WebhookVersion | undefined, pushed: WebhookVersion): WebhookChange {
  if (!stored) return "unrelated";
  if (pushed.revision === stored.revision + 1) return "next";
  const isSame = pushed.revision === stored.revision && pushed.changedAt.getTime() === stored.changedAt.getTime();
  return isSame ? "repeated" : "unrelated";
}
