import { LRUCache } from "lru-cache";

const parsed = new LRUCache<string, object>({ max: 1_000 });

/**
 * A survey's settings as an object, shared and not to be changed. Most surveys have the same settings and each is read
 * many times, so what was parsed is kept.
 */
export function settingsView(json: string): object {
  let settings = parsed.get(json);
  if (!settings) {
    settings = JSON.parse(json || "{}") as object;
    parsed.set(json, settings);
  }
  return settings;
}
