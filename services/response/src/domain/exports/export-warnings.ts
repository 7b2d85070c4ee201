export interface ExportWarning {
  code: "texts_cut" | "blanks_dropped" | "labels_cut";
  /** Empty for several columns. */
  columnId: string;
  count: number;
  /** Length that is kept of each text, in the format's unit. 0: does not apply. */
  kept: number;
}

export interface WarningCounter {
  note: (code: ExportWarning["code"], columnId: string, kept?: number) => void;
  /** Returns the first warnings one by one, and the rest as one sum per code. */
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
