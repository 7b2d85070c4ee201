import type { ShownVariable } from "./computed-tables.ts";
import { escapeHtml, figureText } from "./escape.ts";

const builtInLabels: Record<string, string> = {
  language: "Language",
  distributorId: "Distributor",
  versionNumber: "Version",
};

/** Names a variable, such as `How do you find them: Taste (Home)`. */
export function variableText({ text, known, part = [], item }: ShownVariable): string {
  const name = (known !== undefined && builtInLabels[known]) || labelText(text);
  const place = part.length > 0 ? `: ${part.map(({ label }) => labelText(label)).join(", ")}` : "";
  return `${name}${place}${item ? ` (${labelText(item.label)})` : ""}`;
}

export const labelText = (label: string): string => label || "Without text";

/** Isolates right-to-left text from the text around it. */
export const isolated = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

export const countText = (count: number, one: string, several: string): string =>
  `${figureText(count)} ${count === 1 ? one : several}`;

export const tenths = (value: number): number => Math.round(value * 10) / 10;

export const percentText = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${figureText(tenths((part / whole) * 100))} %`;
