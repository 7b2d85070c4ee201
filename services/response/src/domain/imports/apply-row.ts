import type { Violation } from "@canvass/inputs";
import { missingRequired, type SurveySettings } from "@canvass/questions";
import { dayIn, startOfDay } from "@canvass/values";
import type { PublishedVersion } from "../published-version.ts";
import { newRespondent } from "../respondents/new-respondent.ts";
import { recordedTime } from "../respondents/recorded-time.ts";
import { keyOf, type NewRespondent } from "../respondents/respondent-state.ts";
import { countStartDay, startsKeptMs } from "../results/count-start.ts";
import { applySubmission } from "../submissions/apply-submission.ts";
import { type BatchChanges } from "../submissions/batch-changes.ts";
import { surveyCounts } from "../results/counters.ts";
import { checkAnswers } from "../submissions/check-answers.ts";
import { noFiles } from "../submissions/named-files.ts";
import { answerValues } from "../submissions/known-answers.ts";
import type { SubmissionBody } from "../submissions/submission.ts";
import type { SurveyRef } from "../survey-ref.ts";
import type { AnswerGroup, ImportColumn } from "./import-columns.ts";
import type { RowInput } from "./read-row.ts";

export interface RowTarget extends SurveyRef {
  version: PublishedVersion;
  settings: SurveySettings;
  isTest: boolean;
  timeZone: string;
  /** When the import was requested. */
  at: Date;
}

/** Earlier ids do not exist. */
const firstIdDay = "2020-01-01";

/**
 * Validates a row as one submission of all its answers. Adds its respondent to the changes and returns it, or returns
 * the violations, among them those of reading the row (`found`). Limits, schedule and full quotas refuse nothing: they
 * are about collecting. Paths of violations are headings.
 */
export function* applyRow(
  { input, violations: found }: { input: RowInput; violations: readonly Violation[] },
  columns: readonly ImportColumn[],
  target: RowTarget,
  changes: BatchChanges,
): Generator<undefined, { respondent: NewRespondent } | { violations: Violation[] }> {
  const { version, settings, timeZone } = target;
  const { definition } = version;
  const isCompleted = input.status === "completed";
  const body: SubmissionBody = { respondentId: "", responses: input.responses, metadata: { complete: isCompleted } };
  const respondent = startedBy(input, target);
  const { accepted, violations: wrong } = yield* checkAnswers(respondent, body, definition, settings, noFiles);
  const values = new Map(accepted.map(({ answerKey, value }) => [answerKey, value]));
  const { context } = answerValues(respondent);
  const given = new Set([...input.responses.map(({ elementId }) => elementId), ...input.unread]);
  const missing = isCompleted ? missingRequired(definition, { get: (key) => values.get(key), context }) : [].values();
  const violations = [
    ...found,
    ...wrong.map((each) => placed(each, input, columns)),
    ...missing
      .filter(({ key }) => !given.has(key))
      .map(({ key }) => ({ path: headingOf(key, columns), message: "is required in a completed row" })),
  ];
  if (violations.length > 0) return { violations };
  const submission = {
    version,
    settings,
    timeZone,
    now: input.times.endedAt,
    files: noFiles,
    countQuota: neverFull,
  };
  yield* applySubmission(respondent, body, submission, changes);
  if (input.status === "screened_out") respondent.isScreenedOut = true;
  // Exact times are only for live visits.
  respondent.exactStartedAt = null;
  respondent.exactSeenAt = null;
  countImported(respondent, target, changes);
  return { respondent };
}

const neverFull = () => Number.NEGATIVE_INFINITY;

function startedBy({ times, language, metadata, fields, externalId }: RowInput, target: RowTarget): NewRespondent {
  const { settings, timeZone } = target;
  // Under full anonymity the id has the day of the workspace's zone, which may begin later than that of UTC.
  const firstIdTimes = [Date.parse(firstIdDay), startOfDay(timeZone, firstIdDay).getTime()];
  const idTime = new Date(Math.max(times.startedAt.getTime(), ...firstIdTimes));
  const details = { language, metadata, fields, orderSeed: null };
  const start = newRespondent({ ...target, privacy: settings.privacy, now: idTime }, details);
  const startedAt = recordedTime(times.startedAt, start.isAnonymous, timeZone);
  return {
    ...start,
    startedAt,
    lastSeenAt: startedAt,
    exactStartedAt: null,
    exactSeenAt: null,
    externalId,
    isImported: true,
  };
}

/** Counts the start, in its day only if an erasure would subtract it there (`uncountRespondent`). */
function countImported(respondent: NewRespondent, { timeZone, at }: RowTarget, changes: BatchChanges): void {
  changes.starts.set(keyOf(respondent), respondent);
  if (respondent.isTest) return;
  surveyCounts(changes, respondent).started += 1;
  const { startedAt } = respondent;
  const day = respondent.isAnonymous ? startedAt.toISOString().slice(0, 10) : dayIn(timeZone, startedAt);
  const dayStartsAt = startOfDay(timeZone, day);
  if (at.getTime() - dayStartsAt.getTime() < startsKeptMs) countStartDay(changes, respondent, dayStartsAt, 1);
}

const answerPath = /^responses\.(\d+)(?:\.value)?\.?(.*)$/s;

/** Moves a violation from its place in the submission to its column. One of the whole row has no column. */
function placed({ path, message }: Violation, { responses }: RowInput, columns: readonly ImportColumn[]): Violation {
  const [, index, inside = ""] = answerPath.exec(path) ?? [];
  const answer = responses[Number(index)];
  return { path: answer ? headingOf(answer.elementId, columns, inside) : "", message };
}

function headingOf(key: string, columns: readonly ImportColumn[], inside = ""): string {
  const own = columns.filter((column) => column.kind === "answer" && column.group.answerKey === key);
  const exact = own.find((column) => column.kind === "answer" && isPart(column.group, column.index, inside));
  return (exact ?? own[0])?.heading ?? key;
}

function isPart({ columns }: AnswerGroup, index: number, inside: string): boolean {
  const place = columns[index]!.part?.path.map(({ id }) => id).join(".") ?? "";
  return place !== "" && (inside === place || inside.startsWith(`${place}.`));
}
