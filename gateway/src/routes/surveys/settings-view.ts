import { LRUCache } from "lru-cache";

const parsed = new LRUCache<string, object>({ max: 1_000 });

/**
 * A survey's settings as an object, shared and not to be changed. Cached, because most surveys have equal settings and
 * are read often.
 */
export function settingsView(json: string): object {
  let settings = parsed.get(json);
  if (!settings) {
    settings = JSON.parse(json || "{}") as object;
    parsed.set(json, settings);
  }
  return settings;
}
