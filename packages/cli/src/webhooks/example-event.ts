import { randomBytes } from "node:crypto";
import { webhookExamples } from "../../gen/webhook-examples.ts";

export interface WebhookEvent {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** The first is sent where any event will do. */
export const eventTypes = Object.keys(webhookExamples) as (keyof typeof webhookExamples)[];

/** Returns the documented example of an event, as if it had happened at this time. */
export function exampleEvent(type = eventTypes[0]!, happenedAt = new Date()): WebhookEvent {
  const { event } = webhookExamples[type];
  return JSON.parse(JSON.stringify(event).replaceAll(event.timestamp, happenedAt.toISOString())) as WebhookEvent;
}

/** Returns 16 random lower-case letters and digits, as ids are (contract 2.5). */
export function newWebhookId(): string {
  return Array.from(randomBytes(16), (byte) => (byte % 36).toString(36)).join("");
}
