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

/** Reads the fields of a new subscription as far as possible, and finds every fault (contract 8.3). */
export function judgeSubscriptionFields(body: JsonObject): { fields: SubscriptionFields; faults: Fault[] } {
  const { url, faults } = judgeUrl(body["url"]);
  const { name, url: urlText, event_types: types } = body as unknown as CreateSubscriptionBody;
  const fields = { name, url, urlText, eventTypes: Array.isArray(types) ? [...types] : [...defaultEventTypes] };
  return { fields, faults: joinFaults(faults, shapeFaults(createSubscriptionBody, body)) };
}

/** Returns no URL for a value that is not text, and none for one with faults, which say more than the schema's. */
export function judgeUrl(text: unknown): { url: URL | undefined; faults: Fault[] } {
  if (typeof text !== "string") return { url: undefined, faults: [] };
  const parsed = parseWebhookUrl(text);
  if ("url" in parsed) return { url: parsed.url, faults: [] };
  return { url: undefined, faults: parsed.problems.map((message) => ({ path: "url", message })) };
}
