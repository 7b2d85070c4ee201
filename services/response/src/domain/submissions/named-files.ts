import type { Violation } from "@canvass/inputs";
import type { FileFacts, Question, QuestionType, SubmittedAnswer } from "@canvass/questions";
import { fileExpiry, mayName, type UploadedFile } from "../files/uploaded-file.ts";
import { keyOf, type RespondentState } from "../respondents/respondent-state.ts";
import type { BatchChanges } from "./batch-changes.ts";

export interface KnownFiles {
  find: (fileId: string) => UploadedFile | undefined;
  bySession: boolean;
}

export const noFiles: KnownFiles = { find: () => undefined, bySession: false };

interface Place {
  question: Question;
  type: QuestionType;
}

const unknownFile = "is not a file that was uploaded for this question and respondent, or another answer names it";

/**
 * Replaces the file facts that the caller sent by the stored ones. Only one answer of a submission may name a file:
 * `newlyNamed` has those that earlier ones name, and gets those of this one.
 */
export function resolveFiles(
  answer: SubmittedAnswer,
  state: RespondentState,
  { question, type }: Place,
  files: KnownFiles,
  newlyNamed: Set<string>,
): { answer: SubmittedAnswer; violations: readonly Violation[] } {
  const named = type.fileIds?.(answer.value) ?? [];
  if (named.length === 0) return { answer, violations: [] };
  const facts = currentFacts(type, state.answers.get(answer.elementId)?.value);
  const violations: Violation[] = [];
  for (const [index, fileId] of named.entries()) {
    if (facts.has(fileId)) continue;
    const file = files.find(fileId);
    if (
      !file ||
      newlyNamed.has(fileId) ||
      !mayName(file, question.elementId, { ...state, bySession: files.bySession })
    ) {
      violations.push({ path: `${index}.fileId`, message: unknownFile });
    } else facts.set(fileId, file);
  }
  if (violations.length > 0) return { answer, violations };
  for (const fileId of named) newlyNamed.add(fileId);
  return { answer: { ...answer, value: type.withFiles!(answer.value, (fileId) => facts.get(fileId)) }, violations };
}

function currentFacts(type: QuestionType, value: unknown): Map<string, FileFacts> {
  const ids = new Set(type.fileIds!(value));
  const facts = new Map<string, FileFacts>();
  for (const item of ids.size > 0 ? (value as ({ fileId: string } & FileFacts)[]) : []) facts.set(item.fileId, item);
  return facts;
}

/** Adds to `changes` the files that an answer starts or stops naming, and updates the known ones. */
export function recordFileUse(
  state: RespondentState,
  type: QuestionType,
  { before, after, at, timeZone }: { before: unknown; after: unknown; at: Date; timeZone: string },
  { find }: KnownFiles,
  changes: BatchChanges,
): void {
  if (!type.fileIds) return;
  const earlier = new Set(type.fileIds(before));
  const named = new Set(type.fileIds(after));
  const freeUntil = fileExpiry(at, state.isAnonymous, timeZone).toISOString();
  for (const fileId of new Set([...earlier, ...named])) {
    const isAnswered = named.has(fileId);
    if (isAnswered === earlier.has(fileId)) continue;
    const file = find(fileId);
    // The next submission of the batch must see it.
    if (file) Object.assign(file, { isAnswered, respondentId: state.respondentId });
    changes.files.set(`${keyOf(state)} ${fileId}`, {
      workspace_id: state.workspaceId,
      file_id: fileId,
      respondent_id: state.respondentId,
      is_test: state.isTest,
      expires_at: isAnswered ? null : freeUntil,
    });
  }
}
