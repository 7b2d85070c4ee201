import { createYielder } from "@canvass/fairness";
import type { TranslatedPlace } from "@canvass/questions";
import { CsvError, parse } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import { Readable } from "node:stream";
import { invalidFile, type FileEntry } from "./file-entry.ts";

const columns = ["place", "source", "target", "note"] as const;
const heading = /^\uFEFF?"?place"?([,;\t])/i;
const rowsAtOnce = 500;
/** Characters that the parser gets at once. */
const chunkCharacters = 32_768;
const longestRecord = 262_144;

/** Writes CSV (RFC 4180) with a byte order mark, by which spreadsheets recognize UTF-8. Yields after each portion. */
export function* writingCsv(places: readonly TranslatedPlace[]): Generator<void, string> {
  let text = `\uFEFF${stringify([[...columns]], style)}`;
  for (let from = 0; from < places.length; from += rowsAtOnce) {
    const rows = places
      .slice(from, from + rowsAtOnce)
      .map(({ place, source, target, isOutdated }) => [place, source, target ?? "", isOutdated ? "outdated" : ""]);
    text += stringify(rows, style);
    yield;
  }
  return text;
}

/** Any line break requires quotes, not only the record delimiter. */
const style = { record_delimiter: "\r\n", quoted_match: /[\r\n]/ };

/**
 * Reads CSV as spreadsheets write it. Throws `validation_failed` unless its first line has the headings, and for a row
 * that is longer: an unquoted comma would cut its text.
 */
export async function readCsv(text: string): Promise<FileEntry[]> {
  const delimiter = heading.exec(text)?.[1];
  if (delimiter === undefined) throw invalidFile(`must begin with the headings ${columns.join(", ")}`);
  const yieldIfDue = createYielder();
  const parser = parse({
    bom: true,
    delimiter,
    columns: headingsOf,
    max_record_size: longestRecord,
    relax_column_count_less: true,
    skip_empty_lines: true,
  });
  const entries: FileEntry[] = [];
  try {
    for await (const record of Readable.from(chunksOf(text)).compose(parser)) {
      const { place = "", source = "", target = "", note = "" } = record as Partial<Record<string, string>>;
      const mark = note.trim().toLowerCase() === "outdated" ? "outdated" : "";
      entries.push({ place, source, target, mark });
      await yieldIfDue();
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidFile(`must be a CSV file (line ${Number(error["lines"] ?? 0)})`);
  }
  return entries;
}

function headingsOf(given: string[]): string[] {
  const names = given.map((name) => name.trim().toLowerCase());
  const missing = columns.filter((name) => name !== "note" && names.filter((each) => each === name).length !== 1);
  if (missing.length > 0) throw invalidFile(`must have one column with the heading ${missing.join(", and one with ")}`);
  return names;
}

function* chunksOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    // Do not split a surrogate pair.
    const end = at + chunkCharacters + (text.slice(at, at + chunkCharacters).isWellFormed() ? 0 : 1);
    yield text.slice(at, end);
    at = end;
  }
}
