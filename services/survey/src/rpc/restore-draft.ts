import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import type { RestoreBackupResponseSchema, RestoredDraftSchema } from "@canvass/proto/survey-drafts";
import type { RestoreVersionResponseSchema } from "@canvass/proto/survey-versions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { planNamed, requireQuestionQuota } from "../domain/plan-rules.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findBackup } from "../storage/backups.ts";
import { releaseNames } from "../storage/element-names.ts";
import { replaceDraft } from "../storage/replace-draft.ts";
import { findLeavingQuestionIds, retireLeavingQuestions } from "../storage/retire-elements.ts";
import { readStoredDefinition, type DefinitionSource } from "../storage/stored-definitions.ts";
import { findVersionSummary } from "../storage/versions.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpDraft } from "./back-up-draft.ts";
import { toBackupMessage } from "./backup-message.ts";
import { countAnswersByQuestion } from "./draft-changes.ts";
import { auditedRetirement, appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedSurvey, requireMatch } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { surveyTag } from "./survey-message.ts";
import { write } from "./write.ts";

export interface Restoration {
  surveyId: string;
  ifMatch: readonly string[];
  source: DefinitionSource;
}

type RestoreSchema = typeof RestoreBackupResponseSchema | typeof RestoreVersionResponseSchema;

/** Replaces the draft by a backup or a version (contract 6.13). Counts answers before it takes locks. */
export async function restoreDraft<Schema extends RestoreSchema>(
  context: SurveyContext,
  call: Call,
  schema: Schema,
  { surveyId, ifMatch, source }: Restoration,
): Promise<MessageShape<Schema>> {
  const { sql } = context.database;
  const replay = await findReplay(sql, call, schema, context.now());
  if (replay) return replay;
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  const unanswered = isId(surveyId) && isId(source.id) ? await findUnanswered(context, ref, source) : new Set<string>();
  return write(context, call, schema, async (transaction) => {
    const survey = await requireLockedSurvey(transaction, ref);
    const { questionCount } = await requireSource(transaction, ref, source);
    requireMatch(ifMatch, survey);
    requireQuestionQuota(questionCount, planNamed(call.caller.plan), survey.questionCount);
    const draft = await replaceBy(transaction, context.now(), { survey, source, questionCount, unanswered }, call);
    return { draft } as MessageInitShape<Schema>;
  });
}

/** Returns the ids of the questions that would leave the draft now and have no answers. */
async function findUnanswered(
  context: SurveyContext,
  ref: SurveyRef,
  source: DefinitionSource,
): Promise<ReadonlySet<string>> {
  const questionIds = await findLeavingQuestionIds(context.database.sql, ref, source);
  const answered = await countAnswersByQuestion(context, ref, questionIds);
  return new Set(questionIds.filter((id) => !answered.has(id)));
}

interface Replacement {
  survey: SurveyRecord;
  source: DefinitionSource;
  questionCount: number;
  /** Question ids. */
  unanswered: ReadonlySet<string>;
}

async function replaceBy(
  sql: Sql,
  now: Date,
  { survey, source, questionCount, unanswered }: Replacement,
  call: Call,
): Promise<MessageInitShape<typeof RestoredDraftSchema>> {
  const definition = await readStoredDefinition(sql, survey, source);
  // A question that came into the draft after the count may have answers, so it is retired, too.
  const leaving = await findLeavingQuestionIds(sql, survey, source);
  const answered = leaving.filter((id) => !unanswered.has(id));
  const retired = await retireLeavingQuestions(sql, survey, source, answered, now);
  // Back up only after reading the source: if the source is the oldest backup, the new backup replaces it.
  const backup = await backUpDraft(sql, survey, call, "before_restore", now);
  await replaceDraft(sql, { ...survey, revision: survey.revision + 1 }, definition, now);
  await releaseNames(sql, survey);
  const restored = await saveSurvey(sql, survey, { questionCount, draftChanged: true }, now);
  await appendAuditEvent(sql, call, {
    at: now,
    action: "survey.draft_restored",
    resourceId: survey.surveyId,
    before: { backupId: backup.backupId, questionCount: survey.questionCount },
    after: { [`${source.kind}Id`]: source.id, questionCount, ...auditedRetirement(retired) },
  });
  await enforceStorageQuota(sql, survey, call, backup.backupId);
  const message = toBackupMessage(backup);
  return { backup: message, questionCount, hasUnpublishedChanges: restored.draftChanged, etag: surveyTag(restored) };
}

async function requireSource(
  sql: Sql,
  ref: SurveyRef,
  { kind, id }: DefinitionSource,
): Promise<{ questionCount: number }> {
  const find = () =>
    kind === "backup" ? findBackup(sql, ref, id) : findVersionSummary(sql, { ...ref, versionId: id });
  const found = isId(id) ? await find() : undefined;
  if (!found) throw new AppError(`${kind}_not_found`);
  return found;
}
