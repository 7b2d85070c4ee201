import { unzipSync, zipSync } from "fflate";
import writeXlsxFile from "write-excel-file/universal";

export interface WrittenSheet {
  name: string;
  columns: readonly string[];
  rows: readonly Readonly<Record<string, string>>[];
}

/** The earliest time that a zip file can tell; it has local times without a zone. */
const mtime = new Date(1980, 0, 1);

/**
 * Writes an xlsx file of text cells, which never run as formulas. Equal sheets give equal bytes, at any time. Leaves
 * out columns without a value, except the first two and `label`.
 */
export async function writeSheets(sheets: readonly WrittenSheet[]): Promise<Uint8Array> {
  const written = sheets.map(({ name, columns, rows }) => {
    const used = columns.filter(
      (column, at) => at < 2 || column === "label" || rows.some((row) => row[column] !== undefined),
    );
    const cells = [used, ...rows.map((row) => used.map((column) => row[column]))];
    return {
      sheet: name,
      data: cells.map((row) =>
        row.map((value) => (value === undefined ? null : { value: findable(value), type: String })),
      ),
    };
  });
  const blob = await writeXlsxFile(written).toBlob();
  // The library stamps the parts with the present time.
  const parts = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  return zipSync(parts, { mtime });
}

/**
 * Appends NUL to texts such as `constructor`: the library looks texts up in a plain object, which seems to hold them
 * already. It writes no NUL, so the file has the text as it is.
 */
const findable = (text: string): string => (text in {} ? `${text}\0` : text);
