import type { AppError } from "@canvass/errors";
import type { KeyedSemaphore } from "@canvass/fairness";
import type { Imports } from "@canvass/jobs/imports";
import type { Shell } from "@canvass/service";
import type { Counter } from "@canvass/telemetry";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";
import type { FindLeftOut } from "./application/imports/left-out-finder.ts";
import type { FindContactStatus } from "./application/links/contact-finder.ts";
import type { LinkDirectory } from "./application/links/link-directory.ts";
import type { PublishedVersion } from "./domain/published-version.ts";
import type { GivenClock } from "./storage/advisory-locks.ts";
import type { Exports } from "./application/exports/exports.ts";
import type { Files } from "./application/files/files.ts";
import type { Computations } from "./application/computations/open-computations.ts";
import type { ResultReaders } from "./application/results/result-readers.ts";
import type { Recounts } from "./application/recount/open-recounts.ts";
import type { Snapshots } from "./application/reading/snapshots.ts";
import type { PermittedStart, Started } from "./application/respondents/start-store.ts";
import type { VersionRef } from "./domain/survey-ref.ts";
import type { SurveyDirectory } from "./application/surveys/survey-directory.ts";

export type ResponseShell = Shell<PrismaClient, Prisma.TransactionClient>;

export interface ResponseContext extends ResponseShell {
  /** Set in tests. Otherwise rows take the database's time. */
  givenClock: GivenClock;
  surveys: SurveyDirectory;
  links: LinkDirectory;
  findContactStatus: FindContactStatus;
  resultReaders: ResultReaders;
  computations: Computations;
  snapshots: Snapshots;
  recounts: Recounts;
  versionPermits: KeyedSemaphore;
  batchPermits: KeyedSemaphore;
  /** Saves a version's questions before the first start on it, and returns the version. */
  prepareVersion: (ref: VersionRef) => Promise<PublishedVersion>;
  storeStart: (permit: () => Promise<PermittedStart>) => Promise<Started>;
  recognizeError: (error: unknown) => AppError | undefined;
  /** Undefined if no file storage is configured. */
  exports: Exports | undefined;
  files: Files | undefined;
  imports: Imports;
  findLeftOut: FindLeftOut;
  /** Completed respondents, without test respondents. */
  completions: Counter;
}
