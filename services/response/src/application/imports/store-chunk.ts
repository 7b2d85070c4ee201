import { AppError } from "@canvass/errors";
import { appendEvents, newEvent } from "@canvass/events";
import { createYielder, runWithYielder } from "@canvass/fairness";
import { mostImportErrors } from "@canvass/inputs";
import type { JobRun } from "@canvass/jobs";
import { deleteChunk, type StagedChunk } from "@canvass/jobs/imports";
import type { Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import { newId } from "@canvass/values";
import type { ResponseContext } from "../../context.ts";
import { unpushedRevision } from "../collecting/cached-states.ts";
import type { CollectingState } from "../../domain/collecting.ts";
import { applyRows, readFileRow } from "../../domain/imports/apply-rows.ts";
import type { ImportColumn } from "../../domain/imports/import-columns.ts";
import type { FileRow } from "../../domain/imports/imported-rows.ts";
import type { PublishedVersion } from "../../domain/published-version.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import { holdCollecting, surveyLock } from "../../storage/advisory-locks.ts";
import { findSurveyRevisions } from "../../storage/collecting/collecting-surveys.ts";
import { findExternalIds, lockExternalIds } from "../../storage/imports/external-ids.ts";
import { responseImports, type StoredImport } from "../../storage/imports/response-imports.ts";
import { lockResponseQuota } from "../../storage/response-quota.ts";
import { lockQuotas } from "../../storage/results/quota-counts.ts";
import { saveChanges } from "../../storage/save-changes.ts";

export interface ChunkOfImport {
  stored: StoredImport;
  version: PublishedVersion;
  columns: readonly ImportColumn[];
  chunk: StagedChunk<FileRow>;
  /** How the survey collects. Used only if its owner does not push changes. */
  fetched: CollectingState;
}

type Storing = Pick<ResponseContext, "surveys" | "now"> & { sql: Sql };

/**
 * Stores a chunk of an import and deletes its staged rows, in the transaction that saves the job's progress. Returns
 * the events to publish after the commit.
 */
export async function storeChunk(
  { sql, surveys, now }: Storing,
  { stored, version, columns, chunk, fetched }: ChunkOfImport,
  save: JobRun["save"],
): Promise<Event[]> {
  const { workspaceId, surveyId, isTest, timeZone, total, createdAt } = stored;
  const { firstRow } = chunk;
  // Save progress first: it throws if the runner lost the job, before anything changes.
  await save(sql, { done: firstRow - 1 + chunk.rows.length, total, checkpoint: { firstRow } });
  await lockExternalIds(sql, stored);
  await holdCollecting(sql, [surveyLock(stored)]);
  const [current] = await surveys.ofRevisions(sql, await findSurveyRevisions(sql, [{ workspaceId, surveyId }]));
  if (!current && fetched.revision !== unpushedRevision) throw new AppError("service_unavailable");
  const { settings } = current ?? fetched;
  const target = { workspaceId, surveyId, version, settings, isTest, timeZone, at: createdAt };
  const rows = chunk.rows.map((row) => readFileRow(row, columns, target));
  const ids = rows.flatMap(({ input }) => input.externalId ?? []);
  const known = new Set(await findExternalIds(sql, stored, isTest, ids));
  // Submissions that complete respondents take these locks, too, so either side counts the other.
  await lockResponseQuota(sql, [{ workspaceId, surveyId, collectingState: { settings } }], []);
  if (version.definition.quotas) await lockQuotas(sql, [stored]);
  const changes = new BatchChanges();
  const yieldIfDue = createYielder();
  const { counts, errors } = await runWithYielder(yieldIfDue, applyRows(rows, columns, { target, known }, changes));
  // Imported completions are in the past, so they are not sent to webhooks or the feed.
  const completed = changes.completions.splice(0).length;
  await saveChanges(sql, changes);
  const events = completed > 0 ? [importedEvent(stored, completed, now())] : [];
  await appendEvents(sql, events);
  await responseImports.addCounts(sql, stored, counts, errors, mostImportErrors);
  await deleteChunk(sql, stored, firstRow);
  return events;
}

function importedEvent({ workspaceId, surveyId }: StoredImport, responses: number, at: Date): Event {
  const body = { case: "responsesImported" as const, value: { surveyId, responses } };
  return newEvent({ eventId: newId(at), workspaceId, occurredAt: at, body });
}
