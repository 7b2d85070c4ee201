import { createYielder } from "@canvass/fairness";
import { mostImportRows, refuseViolations, validationFailed } from "@canvass/inputs";
import { CsvError, parse } from "csv-parse";
import { Readable } from "node:stream";
import { columnOf, headingViolations, rowOf, valuesWithoutHeading } from "../../domain/imports/heading.ts";
import type { ImportRow, ImportSettings } from "../../domain/imports/import-settings.ts";
import { decodeText } from "./decode-text.ts";
import { readDelimiter } from "./find-delimiter.ts";

/** Characters parsed per turn of the event loop. */
const chunkCharacters = 32_768;
const longestRecord = 262_144;

export interface CsvFile {
  bytes: Uint8Array;
  /** As the sender declared it; empty if it did not. */
  charset: string;
}

/** Parses CSV (RFC 4180) as spreadsheets write it. The first line contains the headings. */
export async function parseCsv({ bytes, charset }: CsvFile, settings: ImportSettings): Promise<ImportRow[]> {
  const yieldIfDue = createYielder();
  const { text, delimiter } = readDelimiter(decodeText(bytes, charset));
  requireText(text);
  const parser = parse({
    delimiter,
    max_record_size: longestRecord,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  const rows: ImportRow[] = [];
  let columns: string[] | undefined;
  const nameless = new Set<number>();
  try {
    for await (const record of Readable.from(chunksOf(text, yieldIfDue)).compose(parser)) {
      const cells = record as string[];
      if (columns) {
        rows.push(rowOf(columns, cells));
        for (const place of valuesWithoutHeading(columns, cells)) nameless.add(place);
      } else refuseViolations(headingViolations((columns = cells.map(columnOf)), settings));
      if (rows.length > mostImportRows) throw unreadable(`must have at most ${mostImportRows} rows`);
      await yieldIfDue();
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(violationOf(error)) : error;
  }
  refuseViolations(
    [...nameless].map((place) => ({ path: "body", message: `must have a heading above column ${place + 1}` })),
  );
  if (rows.length === 0) throw unreadable("must have a line of headings and at least one row");
  return rows;
}

/** NUL means another format, or UTF-16 without a byte order mark. */
function requireText(text: string): void {
  const at = text.indexOf("\0");
  if (at === -1) return;
  const line = text.slice(0, at).split("\n", mostImportRows).length;
  throw unreadable(`must be a CSV file: line ${line} holds NUL; a file in UTF-16 begins with a byte order mark`);
}

async function* chunksOf(text: string, yieldIfDue: () => Promise<void>): AsyncGenerator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + chunkCharacters, text.length);
    // Do not split a surrogate pair.
    if (!text.slice(at, end).isWellFormed() && text.slice(at, end + 1).isWellFormed()) end += 1;
    yield text.slice(at, end);
    at = end;
    await yieldIfDue();
  }
}

const unreadable = (message: string) => validationFailed([{ path: "body", message }]);

function violationOf(error: CsvError): string {
  const line = Number(error["lines"] ?? 0);
  const where = line > 0 ? ` (line ${line})` : "";
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return "must close every quote: the last one that opens has no end";
  if (error.code === "CSV_MAX_RECORD_SIZE") return `must have rows of at most 256 KiB${where}`;
  return `must be a CSV file${where}`;
}
