import type { FileStore } from "../../storage/file-store/file-store.ts";
import { pipeline, Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip, createGzip } from "node:zlib";
import type { CollectedRow } from "../../domain/exports/collected-row.ts";

const atOnce = { rows: 200, characters: 1024 * 1024 };

/** A page has up to several MiB, so read only one ahead. */
const pages = { highWaterMark: 1 };

export async function writePart(files: FileStore, key: string, lines: AsyncIterable<string>): Promise<number> {
  const compressed = pipeline(Readable.from(lines, pages), createGzip({ level: 1 }), () => undefined);
  return files.write(key, compressed as AsyncIterable<Uint8Array>);
}

export async function* readPart(files: FileStore, key: string): AsyncGenerator<CollectedRow[]> {
  const text = pipeline(Readable.from(files.read(key)), createGunzip(), () => undefined);
  let rows: CollectedRow[] = [];
  let characters = 0;
  for await (const line of linesOf(text as AsyncIterable<Buffer>)) {
    rows.push(JSON.parse(line) as CollectedRow);
    characters += line.length;
    if (rows.length < atOnce.rows && characters < atOnce.characters) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

/** Splits at line feeds only: readline knows other separators, which answers may contain. */
async function* linesOf(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder();
  // Joined at the end of a line, not per chunk: lines may be very long.
  let begun: string[] = [];
  for await (const chunk of text) {
    const [end, ...begins] = decoder.write(chunk).split("\n") as [string, ...string[]];
    begun.push(end);
    if (begins.length === 0) continue;
    yield begun.join("");
    begun = [begins.pop()!];
    yield* begins;
  }
  if (begun.join("") !== "") throw new Error("a part of an export was cut off");
}
