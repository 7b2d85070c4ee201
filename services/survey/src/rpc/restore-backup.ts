import type { MessageInitShape } from "@bufbuild/protobuf";
import { RestoreBackupResponseSchema, type RestoreBackupRequest } from "@canvass/proto/survey-drafts";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { restoreDraft } from "./restore-draft.ts";

/** Replaces the draft by the content of a backup (contract 6.13). */
export function restoreBackup(
  context: SurveyContext,
  { surveyId, backupId, ifMatch }: RestoreBackupRequest,
  call: Call,
): Promise<MessageInitShape<typeof RestoreBackupResponseSchema>> {
  const source = { kind: "backup" as const, id: backupId };
  return restoreDraft(context, call, RestoreBackupResponseSchema, { surveyId, ifMatch, source });
}
