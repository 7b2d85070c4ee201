import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import {
  publishSurveyBody,
  readObject,
  requireIfMatch,
  shapeViolations,
  validationFailed,
  type Violation,
} from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import { PublishSurveyResponseSchema, type PublishSurveyRequest } from "@canvass/proto/survey-drafts";
import {
  checkingDefinition,
  dropEmptyPages,
  type Answered,
  type Question,
  type SurveyDefinition,
} from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { Static } from "typebox";
import type { SurveyContext } from "../context.ts";
import { requireAcknowledged } from "../domain/acknowledgement.ts";
import { draftLimits } from "../domain/draft-limits.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { writingDefinition } from "../domain/written-definition.ts";
import { readDraft } from "../storage/draft.ts";
import { isDraftPublished } from "../storage/draft-digest.ts";
import { releaseNames } from "../storage/element-names.ts";
import { findDraftQuestionIds, retireDroppedQuestions } from "../storage/retire-elements.ts";
import { pushSurvey } from "./collecting-change.ts";
import { changesIdOf, changesOf, countAnswersByQuestion, questionIdsOf, readFormerQuestions } from "./draft-changes.ts";
import { readPublishedDefinition, readDraftSnapshot } from "./draft-snapshot.ts";
import { Overtaken, retryIfOvertaken } from "./overtaken.ts";
import { storePublication } from "./store-publication.ts";
import { requireMatch, requireLockedMatchingSurvey, requireSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { leaseSurvey, surveyLockedError } from "./survey-lease.ts";
import { writeCollecting } from "./write.ts";

type Published = MessageInitShape<typeof PublishSurveyResponseSchema>;

/** Publishes the draft as the next version, activates the survey and collects with that version (contract 6.10). */
export async function publishSurvey(
  context: SurveyContext,
  request: PublishSurveyRequest,
  call: Call,
): Promise<Published> {
  const { surveyId } = request;
  const replay = await replayed(context, surveyId, call);
  if (replay) return replay;
  try {
    return await publish(context, request, call);
  } catch (error) {
    // The first request with this key may have finished meanwhile and caused this refusal: then return its response.
    const late = error instanceof AppError && (await replayed(context, surveyId, call));
    if (late) return late;
    throw error;
  }
}

async function replayed(context: SurveyContext, surveyId: string, call: Call): Promise<Published | undefined> {
  const replay = await findReplay(context.database.sql, call, PublishSurveyResponseSchema, context.now());
  if (replay) await pushSurvey(context, { workspaceId: call.caller.workspaceId, surveyId });
  return replay;
}

/** Counts answers before the transaction. The lease keeps the published version, to which the counts belong. */
async function publish(context: SurveyContext, request: PublishSurveyRequest, call: Call): Promise<Published> {
  const { sql } = context.database;
  const { surveyId, ifMatch, bodyJson } = request;
  requireIfMatch(ifMatch);
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  const body = readObject(bodyJson);
  const violationsOfBody = shapeViolations(publishSurveyBody, body);
  const find = async () => {
    const survey = await requireSurvey(sql, ref);
    requireMatch(ifMatch, survey);
    return survey;
  };
  const present = await validateShapeOnFailure(() => violationsOfBody, find);
  const isPublished = present.publishedVersionId !== null && !present.draftChanged;
  if (isPublished && violationsOfBody.length === 0) throw new AppError("nothing_to_publish");
  await using lease = await leaseSurvey(context, present, call);
  if (!lease) throw await whileLocked(context, request, violationsOfBody, present);
  const attempt = async () => {
    const compared = await requireSurvey(sql, ref);
    const { base, answered, counted } = await readPublished(context, compared);
    return writeCollecting(context, call, PublishSurveyResponseSchema, surveyId, async (transaction) => {
      const survey = await requireLockedMatchingSurvey(transaction, ref, ifMatch);
      const draft = await readDraft(transaction, survey);
      await requireValid(context, survey, draft, violationsOfBody);
      await requireChange(transaction, survey);
      const frozen = dropEmptyPages(draft);
      const written = await runInSlices(writingDefinition(frozen));
      // The lease expired, and another request has published.
      if (survey.publishedVersionId !== compared.publishedVersionId) throw new AppError("survey_locked");
      const { note = "", acknowledge = [] } = body as Static<typeof publishSurveyBody>;
      const former = await readFormerQuestions(transaction, survey, base, draft);
      if ([...former.keys()].some((questionId) => !counted.has(questionId))) throw new Overtaken();
      const changes = await changesOf(base, draft, former, answered);
      requireAcknowledged(changes, changesIdOf(changes), acknowledge);
      const now = context.now();
      const dropped = droppedQuestions(base, draft, answered);
      await retireDroppedQuestions(transaction, survey, dropped, now);
      if (dropped.length > 0) await releaseNames(transaction, survey);
      await lease.release(transaction);
      return storePublication(transaction, now, survey, { draft, frozen, written, note }, call);
    });
  };
  // `await` keeps the lease until the transaction has ended.
  return await retryIfOvertaken(attempt);
}

function droppedQuestions(base: SurveyDefinition | undefined, draft: SurveyDefinition, answered: Answered): Question[] {
  const kept = new Set(draft.pages.flatMap(({ elements }) => elements.map(({ elementId }) => elementId)));
  const published = base?.pages.flatMap(({ elements }) => elements) ?? [];
  return published.filter(
    ({ elementId, questionId }) => !kept.has(elementId) && (answered.get(questionId)?.responses ?? 0) > 0,
  );
}

/** Counts the answers to questions of the published version and of the draft, in which older ones may have come back. */
async function readPublished(
  context: SurveyContext,
  survey: SurveyRecord,
): Promise<{ base: SurveyDefinition | undefined; answered: Answered; counted: ReadonlySet<string> }> {
  const base = await readPublishedDefinition(context, survey);
  const present = base ? await findDraftQuestionIds(context.database.sql, survey) : [];
  const counted = new Set([...(base ? questionIdsOf(base) : []), ...present]);
  return { base, answered: await countAnswersByQuestion(context, survey, [...counted]), counted };
}

/**
 * Returns the refusal for a survey that another request has locked. Before that, throws `precondition_failed` and
 * violations, as without the lock.
 */
async function whileLocked(
  context: SurveyContext,
  { ifMatch }: PublishSurveyRequest,
  violationsOfBody: readonly Violation[],
  ref: SurveyRecord,
): Promise<AppError> {
  const { survey, draft } = await readDraftSnapshot(context, ref);
  requireMatch(ifMatch, survey);
  await requireValid(context, survey, draft, violationsOfBody);
  return surveyLockedError(context, ref);
}

async function requireValid(
  context: SurveyContext,
  survey: SurveyRecord,
  draft: SurveyDefinition,
  violationsOfBody: readonly Violation[],
): Promise<void> {
  const limits = draftLimits(context, survey);
  const violations = [...violationsOfBody, ...(await runInSlices(checkingDefinition(draft, limits)))];
  if (violations.length > 0) throw validationFailed(violations);
}

/** Throws `nothing_to_publish` if the draft equals the published version, also when edits undid each other. */
async function requireChange(sql: Sql, survey: SurveyRecord): Promise<void> {
  const { publishedVersionId: versionId, draftChanged } = survey;
  if (versionId === null) return;
  if (!draftChanged || (await isDraftPublished(sql, { ...survey, versionId })))
    throw new AppError("nothing_to_publish");
}
