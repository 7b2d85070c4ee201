import type { JobRun } from "@canvass/jobs";
import { deleteChunk } from "@canvass/jobs/imports";
import { mostImportErrors } from "@canvass/inputs";
import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { uniqueKeys } from "../../domain/contacts/contact-keys.ts";
import { applyRows, type AppliedRows, type ValidatedRow } from "../../domain/imports/apply-rows.ts";
import type { BookEntry } from "../../domain/imports/contact-book.ts";
import { insertActivities } from "../../storage/contacts/contact-activities.ts";
import { addStatusCounts, incrementCount, type StatusCounts } from "../../storage/contacts/contact-counters.ts";
import { insertContacts, lockContactsWith, lockKeys, saveContacts } from "../../storage/contacts/contacts.ts";
import { contactImports, type StoredImport } from "../../storage/imports/imports.ts";

export interface Chunk {
  stored: StoredImport;
  firstRow: number;
  rows: readonly ValidatedRow[];
  at: Date;
}

/** Stores a chunk of an import and deletes its staged rows, in the transaction that saves the job's progress. */
export async function storeChunk(sql: Sql, chunk: Chunk, save: JobRun["save"]): Promise<void> {
  const { stored, firstRow, rows } = chunk;
  // Save progress first: it throws if the runner lost the job, before anything changes.
  await save(sql, { done: firstRow - 1 + rows.length, total: stored.total, checkpoint: { firstRow } });
  const { entries, counts, errors } = await apply(sql, chunk);
  const { added = [], changed = [] } = Object.groupBy(entries, ({ before }) => (before ? "changed" : "added"));
  // New contacts may have keys that the changed ones gave up.
  await saveContacts(sql, changed.map(contactAfter));
  await insertContacts(sql, added.map(contactAfter));
  await recordEntries(sql, stored, entries, chunk.at);
  await contactImports.addCounts(sql, stored, counts, errors, mostImportErrors);
  await deleteChunk(sql, stored, firstRow);
}

const contactAfter = ({ after }: BookEntry) => after;

async function apply(sql: Sql, { stored, rows, at }: Chunk): Promise<AppliedRows> {
  const { workspaceId } = stored;
  const sought = rows
    .filter(({ violations }) => violations.length === 0)
    .map(({ input: { email, externalId } }) => ({ email: email ?? null, externalId: externalId ?? null }));
  await lockKeys(sql, workspaceId, uniqueKeys(sought));
  const known = await lockContactsWith(sql, workspaceId, {
    emails: sought.flatMap(({ email }) => email ?? []),
    externalIds: sought.flatMap(({ externalId }) => externalId ?? []),
  });
  return applyRows(rows, known, { settings: stored, workspaceId, newId: () => newId(at), at });
}

async function recordEntries(
  sql: Sql,
  { workspaceId, importId }: StoredImport,
  entries: readonly BookEntry[],
  at: Date,
): Promise<void> {
  const changes: Partial<StatusCounts> = {};
  for (const { before, after } of entries) {
    incrementCount(changes, after.status, 1);
    if (before) incrementCount(changes, before.status, -1);
  }
  const activities = entries.map(({ after: { contactId }, changed }) => {
    const activity = { activityId: newId(at), kind: "imported" as const, at, changedFields: [...changed], importId };
    return { workspaceId, contactId, ...activity, distributorId: "" };
  });
  await insertActivities(sql, activities);
  await addStatusCounts(sql, workspaceId, changes);
}
