import type { FileFacts } from "@canvass/questions";
import { recordedTime } from "../respondents/recorded-time.ts";

export interface FileRef {
  workspaceId: string;
  fileId: string;
}

export interface UploadedFile extends FileRef, FileFacts {
  surveyId: string;
  elementId: string;
  /** Empty if the uploader named none, until an answer names the file. */
  respondentId: string;
  isTest: boolean;
  isAnswered: boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Under full anonymity no exact upload time is stored, so the expiry must not reveal it. */
export function fileExpiry(at: Date, isAnonymous: boolean, timeZone: string, cameByLink = false): Date {
  if (isAnonymous) return new Date(recordedTime(at, true, timeZone).getTime() + 2 * dayMs);
  return new Date(at.getTime() + (cameByLink ? 3 * hourMs : dayMs));
}

export interface FileUser {
  workspaceId: string;
  surveyId: string;
  respondentId: string;
  /** True for a respondent's own session, which may name only files that it uploaded. */
  bySession: boolean;
}

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
