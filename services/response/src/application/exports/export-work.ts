import type { FileStoreSettings } from "../../storage/file-store/file-store-settings.ts";
import type { ExportOptions } from "../../domain/exports/export-options.ts";
import type { ExportWarning } from "../../domain/exports/export-warnings.ts";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { ExportRef } from "../../storage/exports/exports.ts";

export interface ExportInput {
  expectedRows: number;
  /** Limit on all export files of the workspace. Absent in jobs of older processes. */
  mostBytes?: number;
}

export interface ExportCheckpoint {
  revision: number;
  parts: readonly ExportPart[];
  /** Id of the last respondent that was read, matching or not. Empty at the start. */
  after: string;
  /** Respondents that were read, matching or not. Absent in checkpoints of older processes. */
  rowsRead?: number;
  versions: Readonly<Record<string, number>>;
  isCollected: boolean;
  fileBytes?: number;
}

export interface ExportPart {
  key: string;
  rows: number;
  /** Absent in parts of older processes. */
  bytes?: number;
}

/** Plain data, because it is sent to a thread. */
export interface ExportWork extends ExportRef {
  surveyId: string;
  options: ExportOptions;
  revision: number;
  createdAt: Date;
  expectedRows: number;
  capacityBytes: number;
  checkpoint: ExportCheckpoint | null;
  databaseUrl: string;
  files: FileStoreSettings;
}

export interface ExportHost {
  /** Throws if the run must end. */
  save(progress: { done: number; total: number; checkpoint: ExportCheckpoint }): Promise<void>;
  version(versionId: string): Promise<PublishedVersion>;
  contacts(contactIds: readonly string[]): Promise<string[][]>;
  /** The number of the version that collects, by its id. Empty if none is published. */
  currentVersion(): Promise<Record<string, number>>;
  finish(file: { rowCount: number; sizeBytes: number; warnings: ExportWarning[] }): Promise<void>;
}

export const exportFolder = ({ workspaceId, exportId }: ExportRef): string => `exports/${workspaceId}/${exportId}`;

/** One per revision: a late run of an earlier revision writes elsewhere. */
export const revisionFolder = (ref: ExportRef, revision: number): string => `${exportFolder(ref)}/r${revision}`;

export const partsFolder = (ref: ExportRef, revision: number): string => `${revisionFolder(ref, revision)}/parts`;

export const fileKey = (ref: ExportRef, revision: number, extension: string): string =>
  `${revisionFolder(ref, revision)}/responses.${extension}`;
