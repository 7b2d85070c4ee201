import { exampleEvent, type WebhookEvent } from "../webhooks/example-event.ts";

/** Bytes of the largest body (contract 8.6). */
const LARGEST_BODY = 64 * 1024;

/** Returns an event of the largest body. An unknown field fills it. */
export function largeEvent(): WebhookEvent {
  const { data, ...event } = exampleEvent();
  const filledBy = (text: string): WebhookEvent => ({ ...event, data: { ...data, certify_text: text } });
  return filledBy("x".repeat(LARGEST_BODY - JSON.stringify(filledBy("")).length));
}
