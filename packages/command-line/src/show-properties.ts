import type { Result } from "./command.ts";

const leastWidth = 12;

export function showProperties(result: Result): string {
  const shown = Object.entries(result).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(leastWidth, ...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) => `${name.padEnd(width)} ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join("\n");
}
