import { unzipSync, zipSync, type Unzipped } from "fflate";
import readXlsxFile from "read-excel-file/universal";
import { textAt } from "../json-values.ts";
import { checkSheetPart } from "./check-sheet-part.ts";
import { fileRefused } from "./file-refused.ts";

/** Cells as trimmed text. The first row has the headings. */
export type Sheets = ReadonlyMap<string, string[][]>;

const most = { parts: 500, bytes: 32 * 1_048_576 };
const needed =
  /^(\[Content_Types\]\.xml|_rels\/.*|xl\/(workbook|sharedStrings|styles)\.xml|xl\/_rels\/.*|xl\/worksheets\/.*\.xml)$/i;

/** Reads the sheets of an xlsx file, by their names in lower case. Throws `validation_failed`. */
export async function readSheets(file: Uint8Array): Promise<Sheets> {
  const parts = unpack(file);
  // The library unpacks without limits, so it gets files that were unpacked within limits.
  const packed = zipSync(parts, { level: 0 });
  const sheets = await readXlsxFile(new Blob([packed]), { trim: true }).catch((error: unknown) => {
    throw fileRefused(`is no xlsx file: ${error instanceof Error ? error.message.slice(0, 200) : "it cannot be read"}`);
  });
  return new Map(
    sheets.map(({ sheet, data }) => [
      sheet.trim().toLowerCase(),
      (data as unknown[][]).map((row) => row.map(cellText)),
    ]),
  );
}

function unpack(file: Uint8Array): Unzipped {
  let [count, bytes] = [0, 0];
  let parts: Unzipped;
  try {
    parts = unzipSync(file, {
      filter({ name, originalSize }) {
        count += 1;
        if (count > most.parts) throw fileRefused(`has more than ${most.parts} parts`);
        if (!needed.test(name)) return false;
        bytes += originalSize;
        if (bytes > most.bytes) throw fileRefused(`is larger than ${most.bytes / 1_048_576} MiB when it is unpacked`);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof Error && "details" in error) throw error;
    throw fileRefused("is no xlsx file: it is no zip archive, or a damaged one");
  }
  for (const [name, part] of Object.entries(parts)) {
    checkSheetPart(name, new TextDecoder().decode(part));
  }
  return parts;
}

function cellText(cell: unknown): string {
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime()) ? "" : cell.toISOString().replace(/T00:00:00\.000Z$/, "");
  return textAt({ cell }, "cell").trim();
}
