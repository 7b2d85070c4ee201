const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes callers' text for markup and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

// `min2` leaves years without a separator.
const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 2, useGrouping: "min2" });

export function figureText(value: unknown): string {
  return typeof value === "number" ? numbers.format(value) : String(value);
}
