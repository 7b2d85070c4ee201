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

/** Files that no answer names: of a workspace, of one of its surveys, and of a respondent. */
const mostUnanswered = { workspace: 10_000, survey: 5_000, respondent: 50 };

export interface UnansweredFiles {
  files: number;
  bytes: number;
  surveyFiles: number;
  surveyBytes: number;
  respondentFiles: number;
  respondentBytes: number;
}

/**
 * Throws `rate_limited` when a workspace, a survey or a respondent has too much that no answer names, the new file included.
 * Who can open the link of a survey can begin as any number of respondents: a survey leaves the other half to the others.
 */
export function requireUnansweredRoom(found: UnansweredFiles, { unanswered, perFile }: FileLimits): void {
  const rooms = [
    ["respondent", found.respondentFiles, found.respondentBytes, Math.max(unanswered / 4, perFile)],
    ["survey", found.surveyFiles, found.surveyBytes, Math.max(unanswered / 2, perFile)],
    ["workspace", found.files, found.bytes, unanswered],
  ] as const;
  for (const [owner, files, bytes, mostBytes] of rooms) {
    const mostFiles = mostUnanswered[owner];
    if (files <= mostFiles && bytes <= mostBytes) continue;
    const details = { unanswered_files: mostFiles, unanswered_bytes: mostBytes };
    throw new AppError("rate_limited", details, `The ${owner} has too many files that no answer names.`);
  }
}

/** The workspace's files have no room for another. */
export function workspaceFull({ perWorkspace }: FileLimits): AppError {
  const message = "The workspace's files have as many bytes as this installation allows.";
  return new AppError("quota_exceeded", { max_bytes: perWorkspace }, message);
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError("file_too_large", { max_bytes: maxBytes });
}
