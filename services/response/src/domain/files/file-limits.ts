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

/** Some files that no answer names, those that come included. */
export interface FileSum {
  files: number;
  bytes: number;
}

/** Whose files are bounded together, in the order in which they are told. */
const rooms = {
  respondent: { name: "The respondent has", files: 50, share: 1 / 4 },
  client: { name: "The client address has", files: 500, share: 1 / 4 },
  link: { name: "The link has", files: 2_500, share: 3 / 8 },
  survey: { name: "The survey has", files: 5_000, share: 1 / 2 },
  guests: { name: "The links of the workspace have", files: 7_500, share: 3 / 4 },
  workspace: { name: "The workspace has", files: 10_000, share: 1 },
};

export type FileRoom = keyof typeof rooms;
export type UnansweredFiles = Record<FileRoom, FileSum>;

/**
 * Throws `rate_limited` when there is too much that no answer names, the new file included. Who can open a link can begin as any
 * number of respondents: a client address, a link and a survey each leave room to others, and all links leave room to tokens.
 */
export function requireUnansweredRoom(found: UnansweredFiles, { unanswered, perFile }: FileLimits): void {
  for (const [room, { name, files: mostFiles, share }] of Object.entries(rooms)) {
    const { files, bytes } = found[room as FileRoom];
    const mostBytes = share === 1 ? unanswered : Math.max(unanswered * share, perFile);
    if (files <= mostFiles && bytes <= mostBytes) continue;
    const details = { unanswered_files: mostFiles, unanswered_bytes: mostBytes };
    throw new AppError("rate_limited", details, `${name} too many files that no answer names.`);
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
