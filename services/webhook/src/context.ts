import type { CursorCodec, Database } from "@canvass/postgres";
import type { Histogram, Logger } from "@canvass/telemetry";
import type { WebhookSender } from "@canvass/webhook-sender";
import type { PrismaClient } from "../gen/prisma/client.ts";
import type { SecretBox } from "./domain/sealed-secrets.ts";

/** What every RPC of this service gets. */
export interface WebhookContext {
  database: Database<PrismaClient>;
  now: () => Date;
  log: Logger;
  secretBox: SecretBox;
  cursors: CursorCodec;
  /** Judges where a URL leads, by the same policy deliveries are sent under. */
  sender: Pick<WebhookSender, "checkDestination">;
  /** Seconds from an event to its place in the feed. */
  feedLag: Histogram;
  /** Tells the outbox that something was committed for it. */
  nudgeOutbox: () => void;
}
