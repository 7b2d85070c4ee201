import type { MessageInitShape } from "@bufbuild/protobuf";
import { CreateBackupResponseSchema, type CreateBackupRequest } from "@canvass/proto/survey-drafts";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { backUpDraft } from "./back-up-draft.ts";
import { toBackupMessage } from "./backup-message.ts";
import { appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedSurvey } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { write } from "./write.ts";

/** Creates a manual backup of the draft (contract 6.13). The survey and its entity tag stay unchanged. */
export function createBackup(
  context: SurveyContext,
  { surveyId }: CreateBackupRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateBackupResponseSchema>> {
  const { workspaceId } = call.caller;
  return write(context, call, CreateBackupResponseSchema, async (sql) => {
    const survey = await requireLockedSurvey(sql, { workspaceId, surveyId });
    const now = context.now();
    const backup = await backUpDraft(sql, survey, call, "manual", now);
    const { backupId, questionCount } = backup;
    const after = { backupId, questionCount };
    await appendAuditEvent(sql, call, { at: now, action: "survey.draft_backed_up", resourceId: surveyId, after });
    await enforceStorageQuota(sql, survey, call);
    return { backup: toBackupMessage(backup) };
  });
}
