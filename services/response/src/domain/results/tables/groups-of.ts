import type { Category } from "@canvass/questions";

/** A category of a table. `from` is inclusive, `to` exclusive; null: unbounded. */
export interface AxisCategory extends Category {
  from?: number | null;
  to?: number | null;
}

/** Returns the groups of numbers below, between and above ascending edges. */
export function groupsOf(edges: readonly number[]): AxisCategory[] {
  const bounds = [null, ...edges, null];
  return bounds.slice(1).map((to, index): AxisCategory => {
    const from = bounds[index]!;
    const label = from === null ? `under ${to}` : to === null ? `${from} and over` : `${from} to under ${to}`;
    return { id: `group${index + 1}`, label, isRetired: false, from, to };
  });
}
