/** What a file does not hold as it was given. */
export interface ExportWarning {
  code: "texts_cut" | "blanks_dropped" | "labels_cut";
  /** Empty: several columns. */
  columnId: string;
  /** Cells, or labels. */
  count: number;
  /** What is kept of each, in the format's unit; 0: does not apply. */
  kept: number;
}

/** Counts what a format could not hold, by column. */
export interface WarningCounter {
  note: (code: ExportWarning["code"], columnId: string, kept?: number) => void;
  /** Those of the first columns, then what is left of each kind. */
  warnings(): ExportWarning[];
}

const mostWarnings = 100;

export function createWarningCounter(): WarningCounter {
  const counted = new Map<string, ExportWarning>();
  return {
    note(code, columnId, kept = 0) {
      const key = `${code} ${columnId}`;
      const known = counted.get(key);
      if (known) known.count += 1;
      else counted.set(key, { code, columnId, count: 1, kept });
    },
    warnings() {
      const all = [...counted.values()];
      const rest = new Map<string, ExportWarning>();
      for (const { code, count, kept } of all.slice(mostWarnings)) {
        const sum = rest.get(code) ?? { code, columnId: "", count: 0, kept };
        rest.set(code, { ...sum, count: sum.count + count, kept: Math.min(sum.kept, kept) });
      }
      return [...all.slice(0, mostWarnings), ...rest.values()];
    },
  };
}
