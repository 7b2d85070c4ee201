import type { AuditedState } from "@canvass/events";
import type { StoredSubscription } from "../storage/subscriptions.ts";

/** A subscription as the audit log shows it. Of the URL only the host: the rest of it is often a secret. */
export function auditedSubscription({ name, mode, url, eventTypes, status }: StoredSubscription): AuditedState {
  const destination = url === null ? {} : { host: URL.parse(url)?.host ?? "" };
  return { name, mode, ...destination, event_types: eventTypes, status };
}
