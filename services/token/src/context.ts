import type { CursorCodec, Database } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { PrismaClient } from "../gen/prisma/client.ts";
import type { SignIdentity } from "./caller-signer.ts";
import type { WriteGate } from "./write-gate.ts";

/** What every RPC of this service gets. */
export interface TokenContext {
  database: Database<PrismaClient>;
  now: () => Date;
  signIdentity: SignIdentity;
  writeGate: WriteGate;
  cursors: CursorCodec;
  /** Says that these events are committed: the outbox goes to work, and whoever listens now hears them. Never throws. */
  committed: (events: readonly Event[]) => void;
}
