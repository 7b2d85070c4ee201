import { LRUCache } from "lru-cache";

const parsed = new LRUCache<string, object>({ max: 1_000 });

/** Returns a shared object; do not change it. Cached, because most surveys have equal settings. */
export function settingsView(json: string): object {
  let settings = parsed.get(json);
  if (!settings) {
    settings = JSON.parse(json || "{}") as object;
    parsed.set(json, settings);
  }
  return settings;
}
