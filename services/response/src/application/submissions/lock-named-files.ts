import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { fileIdsIn } from "@canvass/questions";
import type { FileRef, UploadedFile } from "../../domain/files/uploaded-file.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { lockFiles } from "../../storage/files/answered-files.ts";
import { refOf, type OpenSubmission } from "./open-submission.ts";

export type NamedFiles = (workspaceId: string) => (fileId: string) => UploadedFile | undefined;

/** Locks the files that submissions name or release. Call after locking the respondents, to avoid deadlocks. */
export async function lockNamedFiles(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  states: ReadonlyMap<string, RespondentState>,
): Promise<NamedFiles> {
  const refs = submissions.flatMap((submission) => filesOf(submission, states));
  const locked = refs.length > 0 ? await lockFiles(sql, refs) : [];
  const files = new Map(locked.map((file) => [`${file.workspaceId} ${file.fileId}`, file]));
  return (workspaceId) => (fileId) => files.get(`${workspaceId} ${fileId}`);
}

function filesOf(submission: OpenSubmission, states: ReadonlyMap<string, RespondentState>): FileRef[] {
  const { workspaceId, body } = submission;
  const answers = states.get(keyOf(refOf(submission)))?.answers;
  return body.responses.flatMap((response) => {
    if (!response) return [];
    const ids = [...fileIdsIn(response.value), ...fileIdsIn(answers?.get(response.elementId)?.value)];
    return ids.filter(isId).map((fileId) => ({ workspaceId, fileId }));
  });
}
