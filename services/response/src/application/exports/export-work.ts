import type { FileStoreSettings } from "../../storage/file-store/file-store-settings.ts";
import type { ExportOptions } from "../../domain/exports/export-options.ts";
import type { ExportWarning } from "../../domain/exports/export-warnings.ts";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { ExportRef } from "../../storage/exports/exports.ts";

/** The input of the job of an export. */
export interface ExportInput {
  /** Respondents that counters let expect. */
  expectedRows: number;
  /** Of all the workspace's files; absent in jobs of processes before this bound. */
  mostBytes?: number;
}

/** What of an export is done: written parts, and where the walk goes on. */
export interface ExportCheckpoint {
  revision: number;
  parts: readonly ExportPart[];
  /** The last collected respondent; empty: none. */
  after: string;
  /** Of the collected respondents: number by id. */
  versions: Readonly<Record<string, number>>;
  isCollected: boolean;
  /** Of the file, as far as it is written. */
  fileBytes?: number;
}

export interface ExportPart {
  key: string;
  rows: number;
  /** Absent in parts of processes before this. */
  bytes?: number;
}

/** All that the thread needs to run an export. Plain data. */
export interface ExportWork extends ExportRef {
  surveyId: string;
  options: ExportOptions;
  revision: number;
  createdAt: Date;
  expectedRows: number;
  /** Bytes that the file may have. */
  room: number;
  checkpoint: ExportCheckpoint | null;
  databaseUrl: string;
  files: FileStoreSettings;
}

/** What the thread asks of the service. */
export interface ExportHost {
  /** Throws when the run is to end. */
  save(progress: { done: number; total: number; checkpoint: ExportCheckpoint }): Promise<void>;
  version(versionId: string): Promise<PublishedVersion>;
  /** What the contacts hold in the fields that the export asks for, in order. */
  contacts(contactIds: readonly string[]): Promise<string[][]>;
  /** The version that collects now, its number by id; empty: none was published. */
  currentVersion(): Promise<Record<string, number>>;
  finish(file: { rowCount: number; sizeBytes: number; warnings: ExportWarning[] }): Promise<void>;
}

/** Below it lies everything of an export. */
export const exportFolder = ({ workspaceId, exportId }: ExportRef): string => `exports/${workspaceId}/${exportId}`;

/** Of one revision: a late run of an earlier one writes elsewhere. */
export const revisionFolder = (ref: ExportRef, revision: number): string => `${exportFolder(ref)}/r${revision}`;

export const partsFolder = (ref: ExportRef, revision: number): string => `${revisionFolder(ref, revision)}/parts`;

export const fileKey = (ref: ExportRef, revision: number, extension: string): string =>
  `${revisionFolder(ref, revision)}/responses.${extension}`;
