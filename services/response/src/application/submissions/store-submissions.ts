import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { inTransaction, recordIdempotentAnswers, sendAll, type IdempotentAnswer, type Sql } from "@canvass/postgres";
import { newId } from "@canvass/values";
import { SubmittedAnswersSchema, type SubmittedAnswers } from "@canvass/proto/response";
import { atPace, createPacer } from "@canvass/telemetry";
import { collectingLocks, readApart, readCollecting, type BatchCollecting } from "./batch-collecting.ts";
import type { VersionOf } from "./batch-versions.ts";
import type { ResponseContext } from "../../context.ts";
import { applySubmission, type AppliedSubmission } from "../../domain/submissions/apply-submission.ts";
import { addStart } from "../../domain/results/count-start.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import { requireCollecting, requirePromisedPrivacy, type Collection } from "../../domain/collecting.ts";
import { requireLinkCollecting, type Link } from "../../domain/links/link.ts";
import { shownSeen } from "../../domain/respondents/recorded-time.ts";
import { newRespondent } from "../../domain/respondents/new-respondent.ts";
import { keyOf, type NewRespondent, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { shapeFirst } from "../../domain/submissions/submission.ts";
import { lockNamedFiles, type NamedFiles } from "./lock-named-files.ts";
import { lockStates, type LockedStates } from "./lock-states.ts";
import { refOf, type OpenSubmission, type StartVersion } from "./open-submission.ts";
import { startSubmissionSpans, type SubmissionSpans } from "./submission-spans.ts";
import { holdCollecting } from "../../storage/collecting/collecting-locks.ts";
import { beginMoment } from "../../storage/horizon.ts";
import { claimBatch, type ReplayClaim } from "../../storage/claim-batch.ts";
import { lockResponseQuota, type ResponseQuota } from "../../storage/response-quota.ts";
import { changeStatements, completionEvents } from "../../storage/save-changes.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";

/** Stored now, or answered before. */
export type StoredSubmission = { submitted: SubmittedAnswers; replay?: undefined } | { replay: ReplayClaim };

/** A version, and a distributor where the respondent came by one. */
export type Awaited = VersionRef & Pick<RespondentState, "distributorId">;

/**
 * Not judged: its version must be fetched first or its survey or distributor be asked about, or its respondent was too heavy
 * to be read with the others.
 */
export interface LateSubmission {
  awaits: Awaited;
}

export type SubmissionOutcome = StoredSubmission | LateSubmission | AppError;

/**
 * Stores submissions in one transaction: idempotency records, answers, respondents, counters and events commit together
 * or not at all. Each is judged by how its survey and link collect when the transaction ends: a change waits for it. Outcomes
 * stand in the order of the submissions. A refused one changes nothing, nor does one whose version `versionOf` lacks, whose
 * survey or link is not stored (nothing is fetched while locks are held), or whose respondent is not read. Of respondents that
 * exist at least one is read. Throws when the transaction fails.
 */
export async function storeSubmissions(
  context: ResponseContext,
  submissions: readonly OpenSubmission[],
  versionOf: VersionOf,
): Promise<SubmissionOutcome[]> {
  const changes = new BatchChanges();
  const spans = startSubmissionSpans(submissions);
  const stored = inTransaction(
    context.database.hot.pool,
    async (sql, last) => {
      const keys = submissions.map(({ key }) => key);
      const earlier = keys.some(Boolean) ? await claimBatch(sql, keys, context.now()) : [];
      const wanted = submissions.filter((_, index) => earlier[index] === undefined);
      const known = wanted.filter(({ startsOn }) => !startsOn);
      // In this order: respondents are read with what is held, and take a moment after their locks, so that their answers
      // never take an earlier time than those before.
      const [, locked, now, apart] = await Promise.all([
        holdCollecting(sql, collectingLocks(wanted)),
        lockStates(sql, known, versionOf),
        beginMoment(sql, wanted, context.givenClock),
        readApart(sql, wanted),
      ]);
      const collecting = await readCollecting(context, sql, wanted, locked.revisions, apart);
      const files = await lockNamedFiles(sql, wanted, locked.states);
      const links = limitingLinks(locked.states.values(), collecting);
      const quota = await lockResponseQuota(sql, collecting.surveys, links);
      const pace = createPacer();
      const batch = { versionOf, collecting, ...locked, files, quota, changes, spans, now, pace };
      const results: SubmissionOutcome[] = [];
      for (const [index, submission] of submissions.entries()) {
        await pace();
        const answered = earlier[index];
        if (answered instanceof AppError) results.push(answered);
        else if (answered) results.push({ replay: answered });
        else results.push(await storeOne(submission, batch));
      }
      await pace();
      last(sendAll(sql, await changeStatements(changes)));
      await recordAnswers(sql, submissions, results);
      return results;
    },
    { retryOnce: false },
  );
  const outcomes = await stored.catch((error: unknown) => {
    spans.end(error);
    throw error;
  });
  spans.end();
  if (changes.completions.length > 0) context.outbox.publish(completionEvents(changes));
  context.completions.inc(changes.completions.length);
  return outcomes;
}

/** What the submissions of a batch are judged by, and what they change. */
interface Batch {
  versionOf: VersionOf;
  collecting: BatchCollecting;
  states: LockedStates["states"];
  unread: LockedStates["unread"];
  files: NamedFiles;
  quota: ResponseQuota;
  changes: BatchChanges;
  spans: SubmissionSpans;
  /** Of everything the batch stores. */
  now: Date;
  pace: () => Promise<void>;
}

/** Of respondents that would take a place of a limit. */
function limitingLinks(states: Iterable<RespondentState>, collecting: BatchCollecting): Link[] {
  const links = new Map<string, Link>();
  for (const state of states) {
    if (state.distributorId === "" || state.completedAt !== null || state.isTest) continue;
    const link = collecting.link(state);
    if (link) links.set(`${link.workspaceId} ${link.distributorId}`, link);
  }
  return [...links.values()];
}

async function storeOne(
  submission: OpenSubmission,
  { versionOf, collecting, states, unread, files, quota, changes, spans, now, pace }: Batch,
): Promise<SubmissionOutcome> {
  const { body, caller, startsOn, session } = submission;
  const ref = refOf(submission);
  if (collecting.isGone(submission)) return shapeFirst(body, new AppError("distributor_not_found"));
  const late = unread.get(keyOf(ref));
  if (late) return { awaits: late };
  const collection = collecting.survey(ref);
  if (startsOn && !mayStartOn(startsOn, collection)) return { awaits: awaitedStart(submission, startsOn, collection) };
  const starting = startsOn && collection && startedBy(submission, startsOn, collection, now);
  const state = starting ?? states.get(keyOf(ref));
  // A test token may answer for test respondents only, which count nowhere.
  if (state?.surveyId !== ref.surveyId || (!caller.live && !state.isTest)) {
    return shapeFirst(body, new AppError("respondent_not_found"));
  }
  if (!collection) return { awaits: state };
  try {
    let { timeZone } = caller;
    const hasLink = state.distributorId !== "";
    const link = hasLink ? collecting.link(state) : undefined;
    if (hasLink && !link) return { awaits: state };
    if (session && link) {
      if (!link.found) throw new AppError("distributor_not_found");
      ({ timeZone } = link);
    }
    requireCollecting(collection, now);
    requirePromisedPrivacy(state, collection.settings);
    if (link) requireLinkCollecting(link, now);
    if (state.completedAt === null && !state.isTest) quota.requireLeft(state);
    const version = versionOf(state);
    if (!version) return { awaits: state };
    if (version instanceof AppError) throw version;
    const { settings } = collection;
    const known = { find: files(ref.workspaceId), bySession: session !== undefined };
    const traceparent = spans.parentOf(submission);
    const judgedBy = { version, settings, timeZone, now, newId, files: known, traceparent };
    const applied = await atPace(pace, applySubmission(state, body, judgedBy, changes));
    if (starting) addStart(starting, { timeZone, at: now }, changes);
    if (applied.completedNow && !state.isTest) quota.reserve(state);
    return { submitted: submittedMessage(state, applied, session !== undefined) };
  } catch (error) {
    if (error instanceof AppError) return shapeFirst(body, error);
    throw error;
  }
}

/** A respondent starts on the version that is published now; on none while there is none, which is refused. */
function mayStartOn({ versionId }: StartVersion, collection: Collection | undefined): boolean {
  return collection !== undefined && (collection.versionId === versionId || collection.versionId === "");
}

function awaitedStart(
  { workspaceId, surveyId }: OpenSubmission,
  { versionId }: StartVersion,
  collection: Collection | undefined,
): Awaited {
  return { workspaceId, surveyId, versionId: collection?.versionId ?? versionId, distributorId: "" };
}

/** A new respondent, of which nothing is left when its submission is refused. */
function startedBy(
  { workspaceId, surveyId, caller }: OpenSubmission,
  version: StartVersion,
  { settings: { privacy } }: Collection,
  now: Date,
): NewRespondent {
  return newRespondent({
    workspaceId,
    surveyId,
    version,
    privacy,
    isTest: !caller.live,
    timeZone: caller.timeZone,
    now,
  });
}

function submittedMessage(
  state: RespondentState,
  { answers, seenBefore }: AppliedSubmission,
  bySession: boolean,
): SubmittedAnswers {
  const [seenAt, previousSeenAt] = [state, { ...state, lastSeenAt: seenBefore }].map(shownSeen);
  const times = bySession &&
    seenAt &&
    previousSeenAt && { seenAt: timestampFromDate(seenAt), previousSeenAt: timestampFromDate(previousSeenAt) };
  return create(SubmittedAnswersSchema, {
    respondentId: state.respondentId,
    respondentStatus: state.completedAt ? "completed" : "started",
    answers: answers.map(({ answerId, answerKey, submittedAt }) => ({
      answerId,
      elementId: answerKey,
      submittedAt: timestampFromDate(submittedAt),
    })),
    ...times,
  });
}

async function recordAnswers(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  outcomes: SubmissionOutcome[],
): Promise<void> {
  const records: IdempotentAnswer[] = [];
  for (const [index, submission] of submissions.entries()) {
    const outcome = outcomes[index]!;
    const { key, requestId, answeredAt } = submission;
    if (!key || !("submitted" in outcome)) continue;
    records.push({ ...key, response: toBinary(SubmittedAnswersSchema, outcome.submitted), requestId, answeredAt });
  }
  await recordIdempotentAnswers(sql, records);
}
