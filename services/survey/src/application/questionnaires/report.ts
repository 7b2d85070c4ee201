/** What became of an item of a file. */
export const outcomes = ["imported", "changed", "left_out"] as const;

export interface ReportItem {
  /** Where it is in the file, such as `survey row 5`. */
  source: string;
  /** How the file calls it; may be empty. */
  name: string;
  outcome: (typeof outcomes)[number];
  /** What changed, or why it was left out. */
  reasons: string[];
}

/** Limits of a report. A file with more items is refused. */
export const reportLimits = { items: 5_000, reasons: 20, characters: 300 } as const;

export function reportItem(source: string, name: unknown = ""): ReportItem {
  return { source: cut(source, 100), name: cut(text(name), 100), outcome: "imported", reasons: [] };
}

/** Notes that an item differs in the survey. What was left out stays so. */
export function change(item: ReportItem, reason: string): void {
  if (item.outcome === "imported") item.outcome = "changed";
  addReason(item, reason);
}

export function leaveOut(item: ReportItem, reason: string): void {
  item.outcome = "left_out";
  addReason(item, reason);
}

function addReason({ reasons }: ReportItem, reason: string): void {
  const short = cut(reason, reportLimits.characters);
  if (reasons.includes(short) || reasons.length > reportLimits.reasons) return;
  reasons.push(reasons.length < reportLimits.reasons ? short : "and more");
}

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

/** Shortens a text of a file, for a message. */
export function cut(value: string, most = 60): string {
  const plain = value
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
  return plain.length > most ? `${plain.slice(0, most - 1).toWellFormed()}…` : plain;
}
