import { LRUCache } from "lru-cache";

const seconds = new LRUCache<number, string>({ max: 1_000 });

/** ISO 8601 of milliseconds since 1970. V8 prints a date slowly, and what is read often repeats its seconds. */
export function isoText(ms: number): string {
  const second = Math.floor(ms / 1000);
  let text = seconds.get(second);
  if (text === undefined) seconds.set(second, (text = new Date(second * 1000).toISOString().slice(0, -4)));
  return `${text}${String(ms - second * 1000).padStart(3, "0")}Z`;
}
