import type { KeyedSemaphore } from "@canvass/fairness";
import type { SubscriptionService } from "@canvass/proto/webhook";
import type { RpcClient } from "@canvass/rpc";
import type { Shell, Transaction } from "@canvass/service";
import type { Counter } from "@canvass/telemetry";
import type { WebhookSender } from "@canvass/webhook-sender";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";
import type { RefreshWebhooks } from "./application/webhooks/refresh-webhooks.ts";
import type { Webhooks } from "./application/webhooks/webhooks.ts";
import type { InFlightIntake } from "./application/worker/in-flight-intake.ts";
import type { Worker } from "./application/worker/worker.ts";

export type DeliveryTransaction = Transaction<Prisma.TransactionClient>;
export type DeliveryShell = Shell<PrismaClient, Prisma.TransactionClient>;

export interface DeliveryContext extends DeliveryShell {
  random: () => number;
  subscriptions: RpcClient<typeof SubscriptionService>;
  webhooks: Webhooks;
  refreshWebhooks: RefreshWebhooks;
  sender: Pick<WebhookSender, "send">;
  /** Seconds before attempts 2 to 9. */
  waits: readonly number[];
  attempts: Counter<"outcome">;
  begun: Counter<"origin">;
  intake: InFlightIntake;
  testPermits: KeyedSemaphore;
}

export interface DeliveryQueueContext extends DeliveryContext {
  queues: Worker["queues"];
  nudgeWorker: () => void;
  nudgeRanges: () => void;
}
