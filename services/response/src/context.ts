import type { AppError } from "@canvass/errors";
import type { FairQueue } from "@canvass/rpc";
import type { Shell } from "@canvass/service";
import type { Counter } from "@canvass/telemetry";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";
import type { FindContactStatus } from "./application/links/contact-finder.ts";
import type { LinkDirectory } from "./application/links/link-directory.ts";
import type { PublishedVersion } from "./domain/published-version.ts";
import type { GivenClock } from "./storage/horizon.ts";
import type { Exports } from "./application/exports/exports.ts";
import type { Files } from "./application/files/files.ts";
import type { ResultReaders } from "./application/results/result-readers.ts";
import type { Recounts } from "./application/recount/open-recounts.ts";
import type { Snapshots } from "./application/reading/snapshots.ts";
import type { PermittedStart, Started } from "./application/respondents/start-store.ts";
import type { VersionRef } from "./domain/survey-ref.ts";
import type { SurveyDirectory } from "./application/surveys/survey-directory.ts";

export type ResponseShell = Shell<PrismaClient, Prisma.TransactionClient>;

/** What every RPC of this service works with. */
export interface ResponseContext extends ResponseShell {
  /** In tests; else rows take the database's time. */
  givenClock: GivenClock;
  surveys: SurveyDirectory;
  links: LinkDirectory;
  findContactStatus: FindContactStatus;
  resultReaders: ResultReaders;
  snapshots: Snapshots;
  recounts: Recounts;
  /** Work that first needs a survey's version: one of a workspace at once, a few together. */
  versionTurns: FairQueue;
  /** Batches of submissions: one of a workspace at once, a few together. */
  batchTurns: FairQueue;
  /** The version a respondent starts on, its questions kept for results. */
  startVersion: (ref: VersionRef) => Promise<PublishedVersion>;
  /** Judges and stores a respondent that starts, together with others of the same moment. */
  storeStart: (permit: () => Promise<PermittedStart>) => Promise<Started>;
  /** Names errors of the database in terms of the catalogue. */
  recogniseError: (error: unknown) => AppError | undefined;
  /** Undefined where no storage for files is set up. */
  exports: Exports | undefined;
  /** Of respondents; undefined where no storage for files is set up. */
  files: Files | undefined;
  /** Respondents that completed, tests left out. */
  completions: Counter;
}
