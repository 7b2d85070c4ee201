import type { Violation } from "@canvass/inputs";
import { isOpen, type NewRespondent } from "../respondents/respondent-state.ts";
import { activityKeptMs, countActivity } from "../results/counters.ts";
import type { BatchChanges } from "../submissions/batch-changes.ts";
import { applyRow, type RowTarget } from "./apply-row.ts";
import type { ImportColumn } from "./import-columns.ts";
import type { FileRow, RowCounts, RowError } from "./imported-rows.ts";
import { readRow, type RowInput } from "./read-row.ts";

export interface ReadFileRow {
  line: number;
  input: RowInput;
  violations: Violation[];
}

export interface AppliedRows {
  counts: RowCounts;
  errors: RowError[];
  /** By line. */
  respondents: Map<number, NewRespondent>;
}

export function readFileRow(
  { line, cells }: FileRow,
  columns: readonly ImportColumn[],
  target: RowTarget,
): ReadFileRow {
  const { version, settings, at, timeZone } = target;
  const isAnonymous = settings.privacy.anonymity === "full";
  return { line, ...readRow(columns, cells, { definition: version.definition, isAnonymous, at, timeZone }) };
}

/** Applies rows in order. Adds their external ids to `known`, the external ids of the survey. */
export function* applyRows(
  rows: readonly ReadFileRow[],
  columns: readonly ImportColumn[],
  { target, known }: { target: RowTarget; known: Set<string> },
  changes: BatchChanges,
): Generator<undefined, AppliedRows> {
  const counts: RowCounts = { imported: 0, skipped: 0, failed: 0, violations: 0 };
  const errors: RowError[] = [];
  const respondents = new Map<number, NewRespondent>();
  for (const row of rows) {
    yield;
    const { line, input } = row;
    const { externalId } = input;
    if (row.violations.length === 0 && externalId !== null && known.has(externalId)) {
      counts.skipped += 1;
      continue;
    }
    const outcome = yield* applyRow(row, columns, target, changes);
    if ("respondent" in outcome) {
      counts.imported += 1;
      respondents.set(line, outcome.respondent);
      if (externalId !== null) known.add(externalId);
    } else {
      counts.failed += 1;
      counts.violations += outcome.violations.length;
      errors.push(...outcome.violations.map(({ path, message }) => ({ line, column: path, message })));
    }
  }
  countActive([...respondents.values()], target.at, changes);
  return { counts, errors, respondents };
}

/** Imported respondents are not active, unless they were seen just now. With full anonymity that is not known. */
function countActive(respondents: readonly NewRespondent[], at: Date, changes: BatchChanges): void {
  changes.activity.clear();
  for (const respondent of respondents) {
    const { lastSeenAt, workspaceId, isAnonymous, isTest } = respondent;
    const isRecent = !isAnonymous && lastSeenAt.getTime() > at.getTime() - activityKeptMs;
    if (isRecent && isOpen(respondent) && !isTest) countActivity(changes, workspaceId, lastSeenAt, 1);
  }
}
