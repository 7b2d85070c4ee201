import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { createYielder, runWithYielder } from "@canvass/fairness";
import {
  inTransaction,
  recordIdempotentResponses,
  sendAll,
  type IdempotentResponse,
  type Sql,
} from "@canvass/postgres";
import { newId } from "@canvass/values";
import { readStartFields, type ReadFields, type SurveyDefinition } from "@canvass/questions";
import { SubmittedAnswersSchema, type SubmittedAnswers } from "@canvass/proto/response";
import { collectingLocks, readUnlocked, readCollecting, type BatchCollecting } from "./batch-collecting.ts";
import {
  readBatchQuotas,
  lockNamedFiles,
  type NamedFiles,
  lockStates,
  type LockedStates,
  readFurtherAnswers,
} from "./lock-batch.ts";
import { type VersionOf, type WantedVersion, cachedTranslations, TranslationAwaited } from "./batch-versions.ts";
import type { ResponseContext } from "../../context.ts";
import { applySubmission, type AppliedSubmission } from "../../domain/submissions/apply-submission.ts";
import type { CountQuota } from "../../domain/quotas/judge-quotas.ts";
import { addStart } from "../../domain/results/count-start.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import { fullQuotaMessage } from "../quotas/full-quota.ts";
import {
  notCollecting,
  requireCollecting,
  requirePromisedPrivacy,
  type CollectingState,
} from "../../domain/collecting.ts";
import { requireLinkCollecting, type Link } from "../../domain/links/link.ts";
import { shownSeen } from "../../domain/respondents/recorded-time.ts";
import { newRespondent } from "../../domain/respondents/new-respondent.ts";
import {
  keyOf,
  type NewRespondent,
  type RespondentState,
  respondentStatus,
} from "../../domain/respondents/respondent-state.ts";
import { preferShapeViolations, withViolations } from "../../domain/submissions/submission.ts";
import { refOf, type OpenSubmission, type StartVersion } from "./open-submission.ts";
import { startSubmissionSpans, type SubmissionSpans } from "./submission-spans.ts";
import { holdCollecting } from "../../storage/collecting/collecting-locks.ts";
import { beginWrite } from "../../storage/horizon.ts";
import { claimBatch, type ReplayClaim } from "../../storage/claim-batch.ts";
import { lockResponseQuota, type ResponseQuota } from "../../storage/response-quota.ts";
import { changeStatements, completionEvents } from "../../storage/save-changes.ts";

export type StoredSubmission = { submitted: SubmittedAnswers; replay?: undefined } | { replay: ReplayClaim };

export type Awaited = WantedVersion & Pick<RespondentState, "distributorId">;

/**
 * Not validated: its version, survey or link must be fetched first, or its respondent was too large to be read. With a
 * `translation`, it is refused in that language.
 */
export interface LateSubmission {
  awaits: Awaited;
}

export type SubmissionOutcome = StoredSubmission | LateSubmission | AppError;

/**
 * Stores submissions in one transaction, which changes of their surveys and links wait for. Returns outcomes in order.
 * Fetches nothing while it holds locks: submissions that lack something are late. Reads at least one respondent.
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
      // The order matters. Read respondents while holding the collecting locks. Read the time after locking the
      // respondents, so that their answers keep their order.
      const [, locked, now, apart] = await Promise.all([
        holdCollecting(sql, collectingLocks(wanted)),
        lockStates(sql, known),
        beginWrite(sql, wanted, context.givenClock),
        readUnlocked(sql, wanted),
      ]);
      const collecting = await readCollecting(context, sql, wanted, locked.revisions, apart);
      const files = await lockNamedFiles(sql, wanted, locked.states);
      const links = limitingLinks(locked.states.values(), collecting);
      const quota = await lockResponseQuota(sql, collecting.surveys, links);
      const countQuota = await readBatchQuotas(sql, wanted, locked, versionOf);
      await readFurtherAnswers(sql, known, locked, { versionOf, countQuota });
      const yieldIfDue = createYielder();
      const batch = { versionOf, collecting, ...locked, files, quota, countQuota, changes, spans, now, yieldIfDue };
      const results: SubmissionOutcome[] = [];
      for (const [index, submission] of submissions.entries()) {
        await yieldIfDue();
        const answered = earlier[index];
        if (answered instanceof AppError) results.push(answered);
        else if (answered) results.push({ replay: answered });
        else results.push(await storeOne(submission, batch));
      }
      await yieldIfDue();
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

interface Batch {
  versionOf: VersionOf;
  collecting: BatchCollecting;
  states: LockedStates["states"];
  unread: LockedStates["unread"];
  files: NamedFiles;
  quota: ResponseQuota;
  countQuota: CountQuota;
  changes: BatchChanges;
  spans: SubmissionSpans;
  now: Date;
  yieldIfDue: () => Promise<void>;
}

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
  { versionOf, collecting, states, unread, files, quota, countQuota, changes, spans, now, yieldIfDue }: Batch,
): Promise<SubmissionOutcome> {
  const { body, caller, startsOn, session } = submission;
  const ref = refOf(submission);
  if (collecting.isGone(submission)) return preferShapeViolations(body, new AppError("distributor_not_found"));
  const late = unread.get(keyOf(ref));
  if (late) return { awaits: late };
  const collectingState = collecting.survey(ref);
  if (startsOn && !mayStartOn(startsOn, collectingState))
    return { awaits: awaitedStart(submission, startsOn, collectingState) };
  const starting = startsOn && collectingState && startedBy(submission, startsOn, collectingState, now);
  const state = starting ?? states.get(keyOf(ref));
  // Test tokens may answer only for test respondents, which no counter includes.
  if (state?.surveyId !== ref.surveyId || (!caller.live && !state.isTest)) {
    return preferShapeViolations(body, new AppError("respondent_not_found"));
  }
  if (!collectingState) return { awaits: state };
  try {
    let { timeZone } = caller;
    const hasLink = state.distributorId !== "";
    const link = hasLink ? collecting.link(state) : undefined;
    if (hasLink && !link) return { awaits: state };
    if (session && link) {
      if (!link.found) throw new AppError("distributor_not_found");
      ({ timeZone } = link);
    }
    requireCollecting(collectingState, now);
    requirePromisedPrivacy(state, collectingState.settings);
    if (link) requireLinkCollecting(link, now);
    if (state.isScreenedOut) throw notCollecting("screened_out");
    if (state.completedAt === null && !state.isTest) quota.requireLeft(state);
    const version = versionOf(state);
    if (!version) return { awaits: state };
    if (version instanceof AppError) throw version;
    const { settings } = collectingState;
    const given = starting && givenFields(submission, version.definition, starting);
    if (starting) starting.fields = given!.values;
    const known = { find: files(ref.workspaceId), bySession: session !== undefined };
    const traceparent = spans.parentOf(submission);
    const inLanguage = cachedTranslations(state, version, versionOf, !submission.isTranslated);
    const against = { version, inLanguage, settings, timeZone, now, newId, files: known, countQuota, traceparent };
    const applied = await runWithYielder(
      yieldIfDue,
      applySubmission(state, withViolations(body, given?.violations ?? []), against, changes),
    );
    if (starting) addStart(starting, { timeZone, at: now }, changes);
    if (applied.completedNow && !state.isTest) quota.reserve(state);
    return {
      submitted: submittedMessage(state, applied, { bySession: session !== undefined, ignored: given?.ignored ?? 0 }),
    };
  } catch (error) {
    if (error instanceof TranslationAwaited) return { awaits: awaitedTranslation(state, error) };
    if (error instanceof AppError) return preferShapeViolations(body, error);
    throw error;
  }
}

const awaitedTranslation = (
  { workspaceId, surveyId, versionId, distributorId }: RespondentState,
  { language: translation }: TranslationAwaited,
): Awaited => ({ workspaceId, surveyId, versionId, distributorId, translation });

/** Respondents start on the published version. Without one, the start is refused later. */
function mayStartOn({ versionId }: StartVersion, collectingState: CollectingState | undefined): boolean {
  return collectingState !== undefined && (collectingState.versionId === versionId || collectingState.versionId === "");
}

function awaitedStart(
  { workspaceId, surveyId }: OpenSubmission,
  { versionId }: StartVersion,
  collectingState: CollectingState | undefined,
): Awaited {
  return { workspaceId, surveyId, versionId: collectingState?.versionId ?? versionId, distributorId: "" };
}

function startedBy(
  { workspaceId, surveyId, caller }: OpenSubmission,
  version: StartVersion,
  { settings: { privacy } }: CollectingState,
  now: Date,
): NewRespondent {
  const isTest = !caller.live;
  return newRespondent({ workspaceId, surveyId, version, privacy, isTest, timeZone: caller.timeZone, now });
}

function givenFields(
  { fields: given = {} }: OpenSubmission,
  { fields = [] }: SurveyDefinition,
  { isAnonymous }: NewRespondent,
): ReadFields {
  return readStartFields(fields, given, { isAnonymous, isLink: false });
}

function submittedMessage(
  state: RespondentState,
  { answers, seenBefore, fullQuota }: AppliedSubmission,
  { bySession, ignored }: { bySession: boolean; ignored: number },
): SubmittedAnswers {
  const [seenAt, previousSeenAt] = [state, { ...state, lastSeenAt: seenBefore }].map(shownSeen);
  const times = bySession &&
    seenAt &&
    previousSeenAt && { seenAt: timestampFromDate(seenAt), previousSeenAt: timestampFromDate(previousSeenAt) };
  return create(SubmittedAnswersSchema, {
    respondentId: state.respondentId,
    respondentStatus: respondentStatus(state),
    answers: answers.map(({ answerId, answerKey, submittedAt }) => ({
      answerId,
      elementId: answerKey,
      submittedAt: timestampFromDate(submittedAt),
    })),
    ...(fullQuota && { quotaFull: fullQuotaMessage(fullQuota) }),
    ignored,
    ...times,
  });
}

async function recordAnswers(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  outcomes: SubmissionOutcome[],
): Promise<void> {
  const records: IdempotentResponse[] = [];
  for (const [index, submission] of submissions.entries()) {
    const outcome = outcomes[index]!;
    const { key, requestId, answeredAt } = submission;
    if (!key || !("submitted" in outcome)) continue;
    records.push({ ...key, response: toBinary(SubmittedAnswersSchema, outcome.submitted), requestId, answeredAt });
  }
  await recordIdempotentResponses(sql, records);
}
