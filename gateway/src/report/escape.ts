const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text of callers, for markup and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

// Years have no separator.
const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 2, useGrouping: "min2" });

export function figureText(value: unknown): string {
  return typeof value === "number" ? numbers.format(value) : String(value);
}
