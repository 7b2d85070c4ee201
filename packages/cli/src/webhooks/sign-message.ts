import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { webhookExamples } from "../../gen/webhook-examples.ts";
import { eventTypes, newWebhookId, type WebhookEvent } from "./example-event.ts";

export interface Message {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Signing {
  /** `whsec_...`; one signature for each, in this order. */
  secrets: readonly string[];
  /** Default: a new one. */
  webhookId?: string;
  /** The time of the attempt, not of the event. Default: now. */
  at?: Date;
}

const { traceparent, ...documented } = webhookExamples[eventTypes[0]!].headers;

/** An example of the header of traced events (contract 8.6). */
export const traced = { traceparent };

/** Returns an event, or a body's text, as Canvass sends it (contract 8.6, 8.7). */
export function signMessage(event: WebhookEvent | string, signing: Signing): Message {
  const { secrets, webhookId = newWebhookId(), at = new Date() } = signing;
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const headers = {
    ...documented,
    "webhook-id": webhookId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(webhookId, at, body)).join(" "),
  };
  return { headers, body };
}

export function randomSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
