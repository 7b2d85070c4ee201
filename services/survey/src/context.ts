import type { VerifyCaller } from "@canvass/access";
import type { CursorCodec, Database } from "@canvass/postgres";
import type { ResponseService } from "@canvass/proto/response";
import type { RpcClient } from "@canvass/rpc";
import type { PrismaClient } from "../gen/prisma/client.ts";
import type { createElementPages } from "./element-pages.ts";

/** What every RPC of this service works with. */
export interface SurveyContext {
  database: Database<PrismaClient>;
  verifyCaller: VerifyCaller;
  cursors: CursorCodec;
  responses: Pick<RpcClient<typeof ResponseService>, "hasResponses">;
  elementPages: ReturnType<typeof createElementPages>;
  now: () => Date;
  /** After a commit that appended events: they are to be published without delay. */
  nudgeOutbox: () => void;
}
