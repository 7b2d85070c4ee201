import type { Result } from "./command.ts";

export function showProperties(result: Result): string {
  return Object.entries(result)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.padEnd(12)} ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join("\n");
}
