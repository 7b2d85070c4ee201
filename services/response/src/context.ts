import type { AppError } from "@canvass/errors";
import type { Shell } from "@canvass/service";
import type { Counter } from "@canvass/telemetry";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";
import type { ResultReaders } from "./result-readers.ts";
import type { PermittedStart, Started } from "./store-starts.ts";
import type { SurveyDirectory } from "./survey-directory.ts";

export type ResponseShell = Shell<PrismaClient, Prisma.TransactionClient>;

/** What every RPC of this service works with. */
export interface ResponseContext extends ResponseShell {
  surveys: SurveyDirectory;
  resultReaders: ResultReaders;
  /** Stores a respondent that starts, together with others of the same moment. */
  storeStart: (start: PermittedStart) => Promise<Started>;
  /** Names errors of the database in terms of the catalogue. */
  recogniseError: (error: unknown) => AppError | undefined;
  /** Respondents that completed, tests left out. */
  completions: Counter;
}
