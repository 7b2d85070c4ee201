export interface ExportWarning {
  code: "texts_cut" | "blanks_dropped" | "labels_cut";
  /** Empty in a sum of the columns beyond the first. */
  columnId: string;
  count: number;
  /** Length that is kept of each text, in the format's unit; of several columns the smallest. 0: does not apply. */
  kept: number;
}

export interface WarningCounter {
  note: (code: ExportWarning["code"], columnId: string, kept?: number) => void;
  /** Returns the first warnings, one per code and column, and the rest as one sum per code. */
  warnings(): ExportWarning[];
}

const mostSingle = 100;

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
      for (const { code, count, kept } of all.slice(mostSingle)) {
        const sum = rest.get(code) ?? { code, columnId: "", count: 0, kept };
        rest.set(code, { ...sum, count: sum.count + count, kept: Math.min(sum.kept, kept) });
      }
      return [...all.slice(0, mostSingle), ...rest.values()];
    },
  };
}
