import type { VerifyCaller } from "@canvass/access";
import type { AppError } from "@canvass/errors";
import type { Outbox } from "@canvass/events";
import type { Database } from "@canvass/postgres";
import type { Logger } from "@canvass/telemetry";
import type { PrismaClient } from "../gen/prisma/client.ts";
import type { ResultReaders } from "./result-readers.ts";
import type { PermittedStart, Started } from "./store-starts.ts";
import type { SurveyDirectory } from "./survey-directory.ts";

/** What every RPC of this service works with. */
export interface ResponseContext {
  db: Database<PrismaClient>;
  surveys: SurveyDirectory;
  resultReaders: ResultReaders;
  outbox: Pick<Outbox, "nudge">;
  /** Stores a respondent that starts, together with others of the same moment. */
  storeStart: (start: PermittedStart) => Promise<Started>;
  verifyCaller: VerifyCaller;
  /** Names errors of the database in terms of the catalogue. */
  recogniseError: (error: unknown) => AppError | undefined;
  now: () => Date;
  log: Logger;
  metrics: ResponseMetrics;
}

export interface ResponseMetrics {
  /** Counts respondents that completed. */
  completed(count: number): void;
}
