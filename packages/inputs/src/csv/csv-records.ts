import type { AppError } from "@canvass/errors";
import { createYielder } from "@canvass/fairness";
import { CsvError, parse } from "csv-parse";
import { Readable } from "node:stream";
import { validationFailed } from "../violations.ts";
import { decodeText } from "./decode-text.ts";
import { readDelimiter } from "./find-delimiter.ts";

/** Characters of a chunk. The parser yields only between chunks. */
const chunkCharacters = 32_768;
const longestRecord = 262_144;

export interface CsvFile {
  bytes: Uint8Array;
  /** As the sender declared it; empty if it did not. */
  charset: string;
}

export interface CsvRecord {
  cells: string[];
  /** The line of the file on which the record ends, from 1. */
  line: number;
}

/**
 * Yields the records of a CSV file (RFC 4180) as spreadsheets write it, the headings first. Empty records are left out.
 * Throws `validation_failed` at `body` for a file that is no CSV, has no row, a record of more than 256 KiB, or more
 * than `mostRows`; it may have yielded records before.
 */
export async function* csvRecords({ bytes, charset }: CsvFile, mostRows: number): AsyncGenerator<CsvRecord, void> {
  const yieldIfDue = createYielder();
  const { text, delimiter, linesBefore } = readDelimiter(decodeText(bytes, charset));
  requireText(text, linesBefore, mostRows);
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: longestRecord,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  let records = 0;
  try {
    for await (const parsed of Readable.from(chunksOf(text, yieldIfDue)).compose(parser)) {
      const { record: cells, info } = parsed as { record: string[]; info: { lines: number } };
      records += 1;
      if (records - 1 > mostRows) throw unreadableFile(`must have at most ${mostRows} rows`);
      yield { cells, line: info.lines + linesBefore };
      await yieldIfDue();
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadableFile(violationOf(error, linesBefore)) : error;
  }
  if (records < 2) throw unreadableFile("must have a line of headings and at least one row");
}

export const unreadableFile = (message: string): AppError => validationFailed([{ path: "body", message }]);

/** NUL means another format, or UTF-16 without a byte order mark. */
function requireText(text: string, linesBefore: number, mostLines: number): void {
  const at = text.indexOf("\0");
  if (at === -1) return;
  const line = linesBefore + text.slice(0, at).split("\n", mostLines).length;
  throw unreadableFile(`must be a CSV file: line ${line} holds NUL; a file in UTF-16 begins with a byte order mark`);
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

function violationOf(error: CsvError, linesBefore: number): string {
  const line = Number(error["lines"] ?? 0);
  const where = line > 0 ? ` (line ${line + linesBefore})` : "";
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return "must close every quote: the last one that opens has no end";
  if (error.code === "CSV_MAX_RECORD_SIZE") return `must have rows of at most 256 KiB${where}`;
  return `must be a CSV file${where}`;
}
