import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { eventStatements } from "@canvass/events";
import { runWithYielder } from "@canvass/fairness";
import {
  inTransaction,
  recordIdempotentResponses,
  sendAll,
  type IdempotentResponse,
  type Sql,
  type Replay,
} from "@canvass/postgres";
import { claimBatch } from "@canvass/postgres/rpc";
import { TRANSACTION_SPAN } from "@canvass/service";
import { inSpans } from "@canvass/telemetry";
import { readStartFields, type StartFields, type SurveyDefinition } from "@canvass/questions";
import type { Event } from "@canvass/proto/events";
import { SubmittedAnswersSchema, type SubmittedAnswers } from "@canvass/proto/response";
import { lockBatch, type LockedBatch } from "./lock-batch.ts";
import { type VersionOf, type WantedVersion, cachedTranslations, TranslationAwaited } from "./batch-versions.ts";
import type { ResponseContext } from "../../context.ts";
import { applySubmission, type AppliedSubmission } from "../../domain/submissions/apply-submission.ts";
import { addStart } from "../../domain/results/count-start.ts";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import { fullQuotaMessage } from "../quotas/full-quota.ts";
import {
  notCollecting,
  requireCollecting,
  requirePromisedPrivacy,
  type CollectingState,
} from "../../domain/collecting.ts";
import { requireLinkCollecting } from "../../domain/links/link.ts";
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
import { changeStatements, completionEvents } from "../../storage/save-changes.ts";

export type StoredSubmission = { submitted: SubmittedAnswers; replay?: undefined } | { replay: Replay };

export type Awaited = WantedVersion & Pick<RespondentState, "distributorId">;

/**
 * Not stored: its version, survey or link must be fetched first, or its respondent was too large to be read. With a
 * `translation`, a refusal is to be worded by that.
 */
export interface LateSubmission {
  awaits: Awaited;
}

export type SubmissionOutcome = StoredSubmission | LateSubmission | AppError;

/**
 * Stores submissions in one transaction, which changes of their surveys and links wait for. Returns outcomes in order.
 * Fetches nothing while it holds locks: submissions that lack something are late. Reads at least one respondent,
 * however large, so that no submission is late forever.
 */
export async function storeSubmissions(
  context: ResponseContext,
  submissions: readonly OpenSubmission[],
  versionOf: VersionOf,
): Promise<SubmissionOutcome[]> {
  const changes = new BatchChanges();
  let completed: Event[] = [];
  const parents = submissions.map(({ traceparent }) => traceparent);
  const outcomes = await inSpans(parents, TRANSACTION_SPAN, (spanBelow) =>
    inTransaction(
      context.database.hot.pool,
      async (sql, last) => {
        const keys = submissions.map(({ key }) => key);
        const earlier = keys.some(Boolean) ? await claimBatch(sql, keys, context.now()) : [];
        const wanted = submissions.filter((_, index) => earlier[index] === undefined);
        const batch = { ...(await lockBatch(context, sql, wanted, versionOf)), versionOf, changes, spanBelow };
        const results: SubmissionOutcome[] = [];
        for (const [index, submission] of submissions.entries()) {
          await batch.yieldIfDue();
          const answered = earlier[index];
          if (answered instanceof AppError) results.push(answered);
          else if (answered) results.push({ replay: answered });
          else results.push(await storeOne(submission, batch));
        }
        await batch.yieldIfDue();
        completed = completionEvents(changes);
        last(sendAll(sql, [...(await changeStatements(changes)), ...eventStatements(completed)]));
        await recordResponses(sql, submissions, results);
        return results;
      },
      { retryOnce: false },
    ),
  );
  if (completed.length > 0) context.outbox.publish(completed);
  context.completions.inc(completed.length);
  return outcomes;
}

interface Batch extends LockedBatch {
  versionOf: VersionOf;
  changes: BatchChanges;
  spanBelow: (parent: string) => string;
}

async function storeOne(
  submission: OpenSubmission,
  { versionOf, collecting, states, unread, files, quota, countQuota, changes, spanBelow, now, yieldIfDue }: Batch,
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
  // Test tokens may answer only for test respondents, whose answers no result counts.
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
    const traceparent = spanBelow(submission.traceparent);
    const inLanguage = cachedTranslations(state, version, versionOf, !submission.isTranslated);
    const against = { version, inLanguage, settings, timeZone, now, files: known, countQuota, traceparent };
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
): StartFields {
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

async function recordResponses(
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
