import type { FileFacts } from "@canvass/questions";
import { recordedTime } from "../respondents/recorded-time.ts";

export interface FileRef {
  workspaceId: string;
  fileId: string;
}

/** A file that came whole. */
export interface UploadedFile extends FileRef, FileFacts {
  surveyId: string;
  elementId: string;
  /** Empty: whoever a caller answers for with it first. */
  respondentId: string;
  isTest: boolean;
  /** False: it is deleted when it expires. */
  isAnswered: boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * When a file goes that no answer names: after a day; after three hours where nobody answers for it, as by links. With full
 * anonymity no moment is kept, so after the end of the next day.
 */
export function fileExpiry(at: Date, isAnonymous: boolean, timeZone: string, isGuests = false): Date {
  if (isAnonymous) return new Date(recordedTime(at, true, timeZone).getTime() + 2 * dayMs);
  return new Date(at.getTime() + (isGuests ? 3 * hourMs : dayMs));
}

/** Who may name a file in an answer. */
export interface FileUser {
  workspaceId: string;
  surveyId: string;
  respondentId: string;
  /** It answers by its own session, which names only what it uploaded itself. */
  bySession: boolean;
}

/** Whether an answer to a question may newly name this file. */
export function mayName(file: UploadedFile, elementId: string, user: FileUser): boolean {
  const isOwn = file.respondentId === user.respondentId || (file.respondentId === "" && !user.bySession);
  return (
    isOwn &&
    !file.isAnswered &&
    file.workspaceId === user.workspaceId &&
    file.surveyId === user.surveyId &&
    file.elementId === elementId
  );
}
