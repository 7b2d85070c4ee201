import type { FileStore } from "../../storage/file-store/file-store.ts";
import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { findExportRows, type ExportRow } from "../../storage/exports/export-rows.ts";
import { createRowMatcher, type MatchRows } from "./matching-rows.ts";
import { partsFolder, type ExportCheckpoint, type ExportHost, type ExportWork } from "./export-work.ts";
import { requireExportCapacity } from "./export-capacity.ts";
import { writePart } from "./parts.ts";

/**
 * Limits of what is read for a part. Each part is a checkpoint: after a crash, the next run does not write it again.
 */
const atMost = { rows: 5_000, characters: 16 * 1024 * 1024 };

export async function collectParts(
  sql: Sql,
  files: FileStore,
  work: ExportWork,
  host: Pick<ExportHost, "save" | "contacts" | "version">,
): Promise<ExportCheckpoint> {
  let checkpoint = work.checkpoint ?? emptyCheckpoint(work.revision);
  const matchRows = createRowMatcher(work, host);
  while (!checkpoint.isCollected) {
    checkpoint = await collectPart(sql, files, work, checkpoint, { contacts: host.contacts, matchRows });
    requireExportCapacity(countBytes(checkpoint), work.capacityBytes);
    await host.save({ ...progressOf(checkpoint, work), checkpoint });
  }
  return checkpoint;
}

export const countRows = ({ parts }: ExportCheckpoint): number => parts.reduce((sum, { rows }) => sum + rows, 0);

const countBytes = ({ parts }: ExportCheckpoint): number => parts.reduce((sum, { bytes = 0 }) => sum + bytes, 0);

const emptyCheckpoint = (revision: number): ExportCheckpoint => ({
  revision,
  parts: [],
  after: "",
  versions: {},
  isCollected: false,
});

/** Collecting is the first half of the work. */
function progressOf(checkpoint: ExportCheckpoint, { expectedRows }: ExportWork): { done: number; total: number } {
  if (checkpoint.isCollected) return { done: countRows(checkpoint), total: 2 * countRows(checkpoint) };
  const done = checkpoint.rowsRead ?? countRows(checkpoint);
  return { done, total: 2 * Math.max(done, expectedRows) };
}

async function collectPart(
  sql: Sql,
  files: FileStore,
  work: ExportWork,
  { after, versions: known, parts, revision, rowsRead = 0 }: ExportCheckpoint,
  { contacts, matchRows }: Pick<ExportHost, "contacts"> & { matchRows: MatchRows },
): Promise<ExportCheckpoint> {
  const versions = { ...known };
  const read = { after, rows: 0, characters: 0 };
  const collected = { rows: 0, isCollected: false };
  const walk = { ...work, startedUntil: work.createdAt };
  async function* lines(): AsyncGenerator<string> {
    while (read.rows < atMost.rows && read.characters < atMost.characters) {
      const rows = await findExportRows(sql, walk, read.after);
      if (rows.length === 0) {
        collected.isCollected = true;
        return;
      }
      const matching = await matchRows(rows);
      for (const { versionId, versionNumber } of matching) versions[versionId] = versionNumber;
      const text = (await collectedLines(matching, work, { contacts })).map((line) => `${line}\n`).join("");
      read.after = rows.at(-1)!.respondentId;
      read.rows += rows.length;
      for (const { line } of rows) read.characters += line.length;
      collected.rows += matching.length;
      if (text !== "") yield text;
    }
  }
  // A unique key, so that a run that lost its lease overwrites nothing.
  const key = `${partsFolder(work, revision)}/${newId(new Date())}`;
  const bytes = await writePart(files, key, lines());
  const written = collected.rows > 0 ? [...parts, { key, rows: collected.rows, bytes }] : parts;
  return {
    revision,
    parts: written,
    after: read.after,
    rowsRead: rowsRead + read.rows,
    versions,
    isCollected: collected.isCollected,
  };
}

/** Appends contacts, fields, seed and screening to the lines of rows, in the order of CollectedRow. */
async function collectedLines(
  rows: readonly ExportRow[],
  { options: { contactFields, includeOrder = false } }: Pick<ExportWork, "options">,
  host: Pick<ExportHost, "contacts">,
): Promise<string[]> {
  const contactIds = contactFields ? [...new Set(rows.map(({ contactId }) => contactId))].filter(Boolean) : [];
  const values = contactIds.length === 0 ? [] : await host.contacts(contactIds);
  const written = new Map(contactIds.map((contactId, index) => [contactId, JSON.stringify(values[index])]));
  return rows.map(({ line, contactId, fields, orderSeed, isScreenedOut }) => {
    const own = written.get(contactId) ?? "null";
    const seed = includeOrder ? orderSeed : null;
    return `${line.slice(0, -1)}, ${own}, ${fields}, ${seed}, ${isScreenedOut}]`;
  });
}
