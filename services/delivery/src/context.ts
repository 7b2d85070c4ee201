import type { CursorCodec, Database } from "@canvass/postgres";
import type { SubscriptionService } from "@canvass/proto/webhook";
import type { RpcClient } from "@canvass/rpc";
import type { Counter, Logger } from "@canvass/telemetry";
import type { WebhookSender } from "@canvass/webhook-sender";
import type { PrismaClient } from "../gen/prisma/client.ts";

/** What every part of this service gets. */
export interface DeliveryContext {
  database: Database<PrismaClient>;
  now: () => Date;
  /** Numbers from 0 to 1, for the jitter of waits. */
  random: () => number;
  log: Logger;
  subscriptions: RpcClient<typeof SubscriptionService>;
  sender: Pick<WebhookSender, "send">;
  cursors: CursorCodec;
  /** Seconds before attempts 2 to 9. */
  waits: readonly number[];
  attempts: Counter<"outcome">;
}
