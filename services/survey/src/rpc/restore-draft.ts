import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import type { RestoreBackupResponseSchema, RestoredDraftSchema } from "@canvass/proto/survey-drafts";
import type { RestoreVersionResponseSchema } from "@canvass/proto/survey-versions";
import { restoringDefinition, type Question, type SurveyDefinition } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { planNamed, requireQuestionQuota } from "../domain/plan-rules.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findBackup } from "../storage/backups.ts";
import { readDraft } from "../storage/draft.ts";
import { releaseNames } from "../storage/element-names.ts";
import { replaceDraft } from "../storage/replace-draft.ts";
import { findFormerQuestions } from "../storage/former-questions.ts";
import { findFormerQuestionIds, findRetiredQuestions, retireLeavingQuestions } from "../storage/retire-elements.ts";
import { readStoredDefinition, type DefinitionSource } from "../storage/stored-definitions.ts";
import { findVersionSummary } from "../storage/versions.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpDraft } from "./back-up-draft.ts";
import { toBackupMessage } from "./backup-message.ts";
import { countFormerAnswers, noAnswers, type CountedAnswers } from "./counted-answers.ts";
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
  const counted = isId(surveyId) && isId(source.id) ? await countAnswers(context, ref, source) : noAnswers;
  return write(context, call, schema, async (transaction) => {
    const survey = await requireLockedSurvey(transaction, ref);
    const { questionCount } = await requireSource(transaction, ref, source);
    requireMatch(ifMatch, survey);
    requireQuestionQuota(questionCount, planNamed(call.caller.plan), survey.questionCount);
    const draft = await replaceBy(transaction, context.now(), { survey, source, questionCount, counted }, call);
    return { draft } as MessageInitShape<Schema>;
  });
}

/** Counts the answers to the questions that the draft has, and to retired ones that come back. */
async function countAnswers(context: SurveyContext, ref: SurveyRef, source: DefinitionSource): Promise<CountedAnswers> {
  return countFormerAnswers(context, ref, await findFormerQuestionIds(context.database.sql, ref, source));
}

interface Replacement {
  survey: SurveyRecord;
  source: DefinitionSource;
  questionCount: number;
  counted: CountedAnswers;
}

async function replaceBy(
  sql: Sql,
  now: Date,
  { survey, source, questionCount, counted }: Replacement,
  call: Call,
): Promise<MessageInitShape<typeof RestoredDraftSchema>> {
  const answers = survey.publishedVersion > 0 ? counted : noAnswers;
  const draft = await readDraft(sql, survey);
  const stored = await readStoredDefinition(sql, survey, source);
  const definition = await runInSlices(
    restoringDefinition(stored, await findFormer(sql, survey, draft, stored), answers.entryTestFor(draft)),
  );
  // A question that came into the draft after the count may have answers, so it is retired, too.
  const retired = await retireLeavingQuestions(sql, survey, source, answers.answeredOf(draft), now);
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

/** Returns the questions that the restored ones take the place of: of the draft, or retired. */
async function findFormer(
  sql: Sql,
  ref: SurveyRef,
  draft: SurveyDefinition,
  stored: SurveyDefinition,
): Promise<Question[]> {
  const elementIds = questionsOf(stored).map(({ elementId }) => elementId);
  const former = [...(await findRetiredQuestions(sql, ref, elementIds)), ...questionsOf(draft)];
  const carrying = former.filter(({ logic }) => logic?.choicesFrom).map(({ elementId }) => elementId);
  // The last of equal elements wins.
  return [...former, ...(await findFormerQuestions(sql, ref, carrying, { ofChoices: true }))];
}

const questionsOf = ({ pages }: SurveyDefinition): Question[] => pages.flatMap(({ elements }) => elements);

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
