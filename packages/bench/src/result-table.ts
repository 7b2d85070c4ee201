import Table from "cli-table3";
import type { Measurement } from "./bench-context.ts";

/** Formats the measurements as a table for a terminal. */
export function resultTable(measurements: readonly Measurement[]): string {
  const table = new Table({
    head: ["", "ours", "bare", "ratio", "unit"],
    colAligns: ["left", "right", "right", "right", "left"],
    style: { head: [], border: [] },
  });
  for (const { name, ours, bare, ratio, unit } of measurements) {
    table.push([name, figure(ours), figure(bare), ratio.toFixed(2), unit]);
  }
  return table.toString();
}

const figure = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(1));
