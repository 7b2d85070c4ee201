import type { SubscriptionService } from "@canvass/proto/webhook";
import type { RpcClient } from "@canvass/rpc";
import type { Shell } from "@canvass/service";
import type { Counter } from "@canvass/telemetry";
import type { WebhookSender } from "@canvass/webhook-sender";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";

export type DeliveryShell = Shell<PrismaClient, Prisma.TransactionClient>;

/** What every part of this service gets, the sending ones too. */
export interface DeliveryContext extends DeliveryShell {
  /** Numbers from 0 to 1, for the jitter of waits. */
  random: () => number;
  subscriptions: RpcClient<typeof SubscriptionService>;
  sender: Pick<WebhookSender, "send">;
  /** Seconds before attempts 2 to 9. */
  waits: readonly number[];
  attempts: Counter<"outcome">;
}

/** What RPCs and consumers get besides. */
export interface DeliveryQueueContext extends DeliveryContext {
  /** Asks workers to look for due deliveries without delay. */
  nudgeWorker: () => void;
}
