import type { Condition } from "./conditions.ts";

const spans = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

export function shownFigure(value: number, unit: Condition["unit"]): string {
  if (unit === "count") return String(value);
  if (unit === "share") return `${rounded(value * 100)} %`;
  const [length, name] = spans.find(([seconds]) => Math.abs(value) >= seconds) ?? [0.001, "ms"];
  return `${rounded(value / length)} ${name}`;
}

const rounded = (value: number): number => Number(value.toPrecision(2));
