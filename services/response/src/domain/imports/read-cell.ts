import type { ExportCell, ExportColumn, ExportValue } from "@canvass/questions";

export type ReadCell = { cell: ExportCell } | { violation: string };

/** A number as files have it; JavaScript takes others, too, such as 0x10. */
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const labelled = /^(.*) \[([^\]]*)\]$/su;

/** Returns undefined for other text, and for a number too large. */
export function readNumber(text: string): number | undefined {
  const value = number.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Reads a text as the cell of an export, with entries as ids. `text` must not be blank: a blank cell is no answer. */
export function readCell({ kind, values, chosen }: ExportColumn, text: string): ReadCell {
  const trimmed = text.trim();
  if (kind === "value") return readEntry(values, trimmed);
  if (kind === "text" || kind === "list") return { cell: text };
  if (kind !== "number") return { cell: trimmed };
  if (!number.test(trimmed)) return { violation: "must be a number such as 4.5" };
  const cell = Number(trimmed);
  if (chosen && cell !== 0 && cell !== 1) return { violation: "must be 1 (chosen) or 0 (not chosen)" };
  return { cell };
}

function readEntry(values: readonly ExportValue[], text: string): ReadCell {
  const named = values.filter(({ id, label, entryCode }) => [id, label, entryCode].includes(text));
  const [one, other] = named;
  if (one && other) return { violation: "is the code or text of two entries: write its id, or its text and [id]" };
  if (one) return { cell: one.id };
  const [, label, id] = labelled.exec(text) ?? [];
  const both = values.find((value) => value.label === label && (value.id === id || value.entryCode === id));
  return both ? { cell: both.id } : { violation: "must be the code, text or id of an entry" };
}
