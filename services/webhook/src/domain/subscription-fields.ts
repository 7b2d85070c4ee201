import {
  createSubscriptionBody,
  defaultEventTypes,
  joinViolations,
  shapeViolations,
  type CreateSubscriptionBody,
  type Violation,
} from "@canvass/inputs";
import type { JsonObject } from "@canvass/values";
import { parseWebhookUrl } from "@canvass/webhook-sender/webhook-url";

export interface SubscriptionFields {
  name: string;
  /** Undefined for a feed. */
  url: URL | undefined;
  /** As the caller wrote it. */
  urlText: string | undefined;
  eventTypes: string[];
}

/**
 * Reads the fields as far as possible and finds every violation of their form (contract 8.3, 8.4).
 * `destinationViolations` checks where the URL leads.
 */
export function validateSubscriptionFields(body: JsonObject): { fields: SubscriptionFields; violations: Violation[] } {
  const { url, violations } = validateUrl(body["url"]);
  const { name, url: urlText, event_types: types } = body as unknown as CreateSubscriptionBody;
  const fields = { name, url, urlText, eventTypes: Array.isArray(types) ? [...types] : [...defaultEventTypes] };
  return { fields, violations: joinViolations(violations, shapeViolations(createSubscriptionBody, body)) };
}

/** Returns no violation for a value that is not text, because the schema reports it. */
export function validateUrl(text: unknown): { url: URL | undefined; violations: Violation[] } {
  if (typeof text !== "string") return { url: undefined, violations: [] };
  const parsed = parseWebhookUrl(text);
  if ("url" in parsed) return { url: parsed.url, violations: [] };
  return { url: undefined, violations: parsed.problems.map((message) => ({ path: "url", message })) };
}
