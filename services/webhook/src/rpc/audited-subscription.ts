import type { AuditedState } from "@canvass/events";
import type { StoredSubscription } from "../storage/subscriptions.ts";
import { hostOf } from "./webhook-notification.ts";

/** The audit log contains only the host of the URL, because the rest is often a secret. */
export function auditedSubscription({ name, mode, url, eventTypes, status }: StoredSubscription): AuditedState {
  const destination = url === null ? {} : { host: hostOf(url) };
  return { name, mode, ...destination, event_types: eventTypes, status };
}
