import { AppError } from "@canvass/errors";

/** Bounds of an installation, in bytes. */
export interface FileLimits {
  /** Of one file, whatever its question allows. */
  perFile: number;
  /** Of all files of a workspace. */
  perWorkspace: number;
  /** Of the files of a workspace that no answer names. */
  unanswered: number;
}

/** Files that no answer names: of a workspace, and of a respondent. */
const mostUnanswered = { workspace: 10_000, respondent: 50 };

export interface UnansweredFiles {
  files: number;
  bytes: number;
  respondentFiles: number;
  respondentBytes: number;
}

/** Throws `rate_limited` when a workspace or a respondent has too much that no answer names, the new file included. */
export function requireUnansweredRoom(found: UnansweredFiles, { unanswered, perFile }: FileLimits): void {
  const ofRespondent = Math.max(unanswered / 4, perFile);
  if (found.respondentFiles > mostUnanswered.respondent || found.respondentBytes > ofRespondent) {
    throw tooMany("The respondent has too many files that no answer names.");
  }
  if (found.files > mostUnanswered.workspace || found.bytes > unanswered) {
    throw tooMany("The workspace has too many files that no answer names.");
  }
}

const tooMany = (message: string) => new AppError("rate_limited", { counted: "unanswered_files" }, message);

/** The workspace's files have no room for another. */
export function workspaceFull({ perWorkspace }: FileLimits): AppError {
  const message = "The workspace's files have as many bytes as this installation allows.";
  return new AppError("quota_exceeded", { max_bytes: perWorkspace }, message);
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError("file_too_large", { max_bytes: maxBytes });
}
