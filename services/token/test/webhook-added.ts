import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";

/** A request for a mail about a new webhook. */
export function webhookAdded(workspaceId: string, name = "CRM sync"): Event {
  const webhook = { subscriptionId: "sub0000000000001", name, host: "hooks.example.com" };
  return newEvent({
    workspaceId,
    occurredAt: new Date("2026-03-01T11:59:58Z"),
    source: "webhook",
    body: {
      case: "notificationRequested",
      value: { personName: "Grace", tokenName: "CI", notification: { case: "webhookAdded", value: { webhook } } },
    },
  });
}
