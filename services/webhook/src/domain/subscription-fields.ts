import {
  defaultEventTypes,
  isLongerThan,
  longestSubscriptionName,
  mostEventTypes,
  subscribableEventTypes,
  type Fault,
} from "@canvass/inputs";
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
  const parsed = given.url === undefined ? undefined : parseWebhookUrl(given.url);
  const problems = parsed && "problems" in parsed ? parsed.problems : [];
  const fields: SubscriptionFields = {
    name: given.name,
    url: parsed && "url" in parsed ? parsed.url : undefined,
    urlText: given.url,
    eventTypes: [...(given.eventTypes.length === 0 ? defaultEventTypes : given.eventTypes)],
  };
  const urlFaults = problems.map((message) => ({ path: "url", message }));
  return { fields, faults: [...nameFaults(given.name), ...urlFaults, ...eventTypeFaults(given.eventTypes)] };
}

function nameFaults(name: string): Fault[] {
  if (name.trim() === "") return [{ path: "name", message: "is required" }];
  const faults: Fault[] = [];
  if (isLongerThan(name, longestSubscriptionName)) {
    faults.push({ path: "name", message: `must be at most ${longestSubscriptionName} characters long` });
  }
  if (/\p{Cc}/u.test(name)) faults.push({ path: "name", message: "must not contain control characters" });
  return faults;
}

function eventTypeFaults(eventTypes: readonly string[]): Fault[] {
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
