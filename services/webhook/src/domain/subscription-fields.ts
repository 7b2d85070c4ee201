import {
  defaultEventTypes,
  longestSubscriptionName,
  mostEventTypes,
  subscribableEventTypes,
  type Fault,
} from "@canvass/inputs";
import { isBlank, isLongerThan } from "@canvass/values";
import { parseWebhookUrl } from "@canvass/webhook-sender/webhook-url";

export interface SubscriptionFields {
  name: string;
  /** Undefined for a feed. */
  url: URL | undefined;
  /** As the caller wrote it. */
  urlText: string | undefined;
  eventTypes: string[];
}

export interface GivenFields {
  name: string;
  url?: string | undefined;
  eventTypes: readonly string[];
}

/** Collects every fault (contract 8.3). */
export function judgeSubscriptionFields(given: GivenFields): { fields: SubscriptionFields; faults: Fault[] } {
  const { url, faults: urlFaults } = judgeUrl(given.url);
  const fields: SubscriptionFields = {
    name: given.name,
    url,
    urlText: given.url,
    eventTypes: [...(given.eventTypes.length === 0 ? defaultEventTypes : given.eventTypes)],
  };
  return { fields, faults: [...nameFaults(given.name), ...urlFaults, ...eventTypeFaults(given.eventTypes)] };
}

/** Parses a webhook's URL; undefined when there is none, or with faults. */
export function judgeUrl(text: string | undefined): { url: URL | undefined; faults: Fault[] } {
  if (text === undefined) return { url: undefined, faults: [] };
  const parsed = parseWebhookUrl(text);
  if ("url" in parsed) return { url: parsed.url, faults: [] };
  return { url: undefined, faults: parsed.problems.map((message) => ({ path: "url", message })) };
}

export function nameFaults(name: string): Fault[] {
  if (isBlank(name)) return [{ path: "name", message: "is required" }];
  const faults: Fault[] = [];
  if (isLongerThan(name, longestSubscriptionName)) {
    faults.push({ path: "name", message: `must be at most ${longestSubscriptionName} characters long` });
  }
  if (/\p{Cc}/u.test(name)) faults.push({ path: "name", message: "must not contain control characters" });
  return faults;
}

export function eventTypeFaults(eventTypes: readonly string[]): Fault[] {
  if (eventTypes.length > mostEventTypes) {
    return [{ path: "event_types", message: `must have at most ${mostEventTypes} items` }];
  }
  return eventTypes.flatMap((type, index) => {
    const path = `event_types.${index}`;
    if (!(subscribableEventTypes as readonly string[]).includes(type)) {
      return [{ path, message: `must be one of ${subscribableEventTypes.join(", ")}` }];
    }
    return eventTypes.indexOf(type) < index ? [{ path, message: "is listed twice" }] : [];
  });
}
