import type { Result } from "./command.ts";

const leastWidth = 12;

/** Returns a line for each property. Further lines of a value are indented, so that none passes for a property. */
export function showProperties(result: Result): string {
  const shown = Object.entries(result).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(leastWidth, ...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(", ") : String(value);
      return `${name.padEnd(width)} ${text.replaceAll("\n", `\n${" ".repeat(width + 1)}`)}`;
    })
    .join("\n");
}
