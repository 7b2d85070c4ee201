import {
  createSubscriptionBody,
  defaultEventTypes,
  joinFaults,
  shapeFaults,
  type CreateSubscriptionBody,
  type Fault,
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

/** The fields of a new subscription, as far as they can be read, and every fault (contract 8.3). */
export function judgeSubscriptionFields(body: JsonObject): { fields: SubscriptionFields; faults: Fault[] } {
  const { url, faults } = judgeUrl(body["url"]);
  const { name, url: urlText, event_types: types } = body as unknown as CreateSubscriptionBody;
  const fields = { name, url, urlText, eventTypes: Array.isArray(types) ? [...types] : [...defaultEventTypes] };
  return { fields, faults: joinFaults(faults, shapeFaults(createSubscriptionBody, body)) };
}

/** Parses a webhook's URL; undefined when it is no text, or with faults, which say more than those of its shape. */
export function judgeUrl(text: unknown): { url: URL | undefined; faults: Fault[] } {
  if (typeof text !== "string") return { url: undefined, faults: [] };
  const parsed = parseWebhookUrl(text);
  if ("url" in parsed) return { url: parsed.url, faults: [] };
  return { url: undefined, faults: parsed.problems.map((message) => ({ path: "url", message })) };
}
