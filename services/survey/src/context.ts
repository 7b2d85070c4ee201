import type { VerifyCaller } from "@canvass/access";
import type { CursorCodec, Database } from "@canvass/postgres";
import type { PrismaClient } from "../gen/prisma/client.ts";

/** What every RPC of this service works with. */
export interface SurveyContext {
  database: Database<PrismaClient>;
  verifyCaller: VerifyCaller;
  cursors: CursorCodec;
  now: () => Date;
  /** After a commit that appended events: they are to be published without delay. */
  nudgeOutbox: () => void;
}
