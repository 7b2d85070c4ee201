import { AppError } from "@canvass/errors";

export interface FileLimits {
  perFile: number;
  perWorkspace: number;
  /** Bytes of a workspace's files that no answer names. */
  unanswered: number;
}

export interface FileSum {
  files: number;
  bytes: number;
}

/** Groups of uploaders with a common limit, in the order in which exceeded limits are reported. */
const capacities = {
  respondent: { name: "The respondent has", files: 50, share: 1 / 4 },
  client: { name: "The client address has", files: 500, share: 1 / 4 },
  link: { name: "The link has", files: 2_500, share: 3 / 8 },
  survey: { name: "The survey has", files: 5_000, share: 1 / 2 },
  guests: { name: "The links of the workspace have", files: 7_500, share: 3 / 4 },
  workspace: { name: "The workspace has", files: 10_000, share: 1 },
};

export type FileCapacity = keyof typeof capacities;
export type UnansweredFiles = Record<FileCapacity, FileSum>;

/**
 * Throws `rate_limited` beyond a limit. Anybody with a link can start any number of respondents, so a client, link or
 * survey gets a share of the capacity.
 */
export function requireUnansweredCapacity(found: UnansweredFiles, { unanswered, perFile }: FileLimits): void {
  for (const [capacity, { name, files: mostFiles, share }] of Object.entries(capacities)) {
    const { files, bytes } = found[capacity as FileCapacity];
    const mostBytes = share === 1 ? unanswered : Math.max(unanswered * share, perFile);
    if (files <= mostFiles && bytes <= mostBytes) continue;
    const details = { unanswered_files: mostFiles, unanswered_bytes: mostBytes };
    throw new AppError("rate_limited", details, `${name} too many files that no answer names.`);
  }
}

export function workspaceFullError({ perWorkspace }: FileLimits): AppError {
  const message = "The workspace's files have as many bytes as this installation allows.";
  return new AppError("quota_exceeded", { max_bytes: perWorkspace }, message);
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError("file_too_large", { max_bytes: maxBytes });
}
