import type { ExportCell } from "@canvass/questions";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { HeadedColumn } from "../../../domain/exports/export-layout.ts";
import type { ExportFormat } from "./export-format.ts";

/** Limits of a row group, which is held in memory until it is written. */
const group = { cells: 500_000, fewestRows: 200, characters: 16 * 1024 * 1024 };

export const parquet: ExportFormat = {
  extension: "parquet",
  mediaType: "application/vnd.apache.parquet",
  cells: { values: "written", times: "moment", lists: "joined" },
  async *encode({ columns, rows }) {
    const writer = new TakenWriter();
    const labels = Object.fromEntries(columns.map(({ name, label }) => [name, label]));
    const file = new ParquetWriter({
      writer,
      schema: schemaOf(columns),
      createdBy: "Canvass",
      // Parquet has no labels of columns.
      kvMetadata: [{ key: "headings", value: JSON.stringify(labels) }],
    });
    const mostRows = Math.max(group.fewestRows, Math.floor(group.cells / columns.length));
    let held: ExportCell[][] = [];
    let characters = 0;
    const write = async (): Promise<Uint8Array> => {
      const columnData = columns.map(({ name, kind }, index) => ({
        name,
        data: held.map((row) => (kind === "date" || kind === "datetime" ? timestampOf(row[index]!) : row[index]!)),
        offsetIndex: false,
      }));
      await file.write({ columnData, rowGroupSize: held.length });
      held = [];
      characters = 0;
      return writer.take();
    };
    for await (const some of rows()) {
      held.push(...some);
      characters += charactersOf(some);
      if (held.length >= mostRows || characters >= group.characters) yield await write();
    }
    if (held.length > 0) yield await write();
    await file.finish();
    yield writer.take();
  },
};

/** Hands over the bytes written so far. File offsets continue. */
class TakenWriter extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

function charactersOf(rows: readonly (readonly ExportCell[])[]): number {
  let characters = 0;
  for (const row of rows) for (const cell of row) if (typeof cell === "string") characters += cell.length;
  return characters;
}

const timestampOf = (cell: ExportCell): Date | null => (typeof cell === "number" ? new Date(cell) : null);

function schemaOf(columns: readonly HeadedColumn[]): SchemaElement[] {
  return [{ name: "root", num_children: columns.length }, ...columns.map(elementOf)];
}

function elementOf({ name, kind }: HeadedColumn): SchemaElement {
  const optional = { name, repetition_type: "OPTIONAL" } as const;
  if (kind === "number") return { ...optional, type: "DOUBLE" };
  if (kind === "date") return { ...optional, type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } };
  if (kind === "time") {
    return {
      ...optional,
      type: "INT32",
      converted_type: "TIME_MILLIS",
      logical_type: { type: "TIME", isAdjustedToUTC: false, unit: "MILLIS" },
    };
  }
  if (kind === "datetime") {
    return {
      ...optional,
      type: "INT64",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    };
  }
  return { ...optional, type: "BYTE_ARRAY", converted_type: "UTF8" };
}
