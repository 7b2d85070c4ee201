import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { isId } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import type { RestoredDraftSchema } from "@canvass/proto/survey";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { planNamed, requireQuestionQuota } from "../domain/plan-rules.ts";
import { findBackup } from "../storage/backups.ts";
import { replaceDraft } from "../storage/replace-draft.ts";
import { isPublishedDefinition, readStoredDefinition, type DefinitionSource } from "../storage/stored-definitions.ts";
import { findVersionSummary } from "../storage/versions.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpDraft } from "./back-up-draft.ts";
import { toBackupMessage } from "./backup-message.ts";
import { recordChange } from "./record-change.ts";
import { requireLockedSurvey, requireMatch } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";

export interface Restoration {
  surveyId: string;
  ifMatch: readonly string[];
  source: DefinitionSource;
}

/**
 * Makes the draft what a backup or a version holds, and backs it up before (contract 6.11). What is collected stays as it
 * was published.
 */
export async function restoreDraft(
  sql: Sql,
  { now: clock }: SurveyContext,
  call: Call,
  { surveyId, ifMatch, source }: Restoration,
): Promise<MessageInitShape<typeof RestoredDraftSchema>> {
  const { workspaceId, plan } = call.caller;
  const survey = await requireLockedSurvey(sql, { workspaceId, surveyId });
  const { questionCount } = await requireSource(sql, { workspaceId, surveyId }, source);
  requireMatch(ifMatch, survey);
  requireQuestionQuota(questionCount, planNamed(plan));
  const now = clock();
  const definition = await readStoredDefinition(sql, survey, source);
  const draftChanged = !(await isPublishedDefinition(sql, survey, source));
  const backup = await backUpDraft(sql, survey, call, "before_restore", now);
  await replaceDraft(sql, { ...survey, revision: survey.revision + 1 }, definition, now);
  const changes = { questionCount, draftChanged, draftEditedAt: now.getTime() };
  const restored = await saveSurvey(sql, survey, changes, now);
  await recordChange(sql, call, {
    at: now,
    action: "survey.draft_restored",
    resourceId: surveyId,
    before: { backupId: backup.backupId, questionCount: survey.questionCount },
    after: { [`${source.kind}Id`]: source.id, questionCount },
  });
  return {
    backup: toBackupMessage(backup),
    questionCount,
    hasUnpublishedChanges: draftChanged,
    etag: surveyTag(restored),
  };
}

/** Throws `backup_not_found` or `version_not_found`. */
async function requireSource(
  sql: Sql,
  ref: { workspaceId: string; surveyId: string },
  { kind, id }: DefinitionSource,
): Promise<{ questionCount: number }> {
  const find = () =>
    kind === "backup" ? findBackup(sql, ref, id) : findVersionSummary(sql, { ...ref, versionId: id });
  const found = isId(id) ? await find() : undefined;
  if (!found) throw new AppError(`${kind}_not_found`);
  return found;
}
