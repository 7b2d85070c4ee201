import type { ShownVariable } from "./computed-tables.ts";
import { escapeHtml } from "@canvass/values";

// `min2` leaves years without a separator.
const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 2, useGrouping: "min2" });

/** Formats a number. Returns other values as text. */
export function numberText(value: unknown): string {
  return typeof value === "number" ? numbers.format(value) : String(value);
}

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

/** Returns a text as markup, isolated from the writing direction of the text around it. */
export const isolated = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

export const countText = (count: number, one: string, several: string): string =>
  `${numberText(count)} ${count === 1 ? one : several}`;

export const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

export const percentText = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${numberText(roundToTenth((part / whole) * 100))} %`;
