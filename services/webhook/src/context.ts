import type { PushChange, Shell, Transaction } from "@canvass/service";
import type { FetchPlanChanges } from "@canvass/plan-history";
import type { Histogram } from "@canvass/telemetry";
import type { WebhookSender } from "@canvass/webhook-sender";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";
import type { SecretKeys } from "./application/keys/secret-keys.ts";

export type WebhookShell = Shell<PrismaClient, Prisma.TransactionClient>;
export type WebhookTransaction = Transaction<Prisma.TransactionClient>;

export interface WebhookContext extends WebhookShell {
  secretKeys: SecretKeys;
  fetchPlanChanges: FetchPlanChanges;
  /** Hands a `subscription.changed` over to the delivery service. */
  pushChange: PushChange;
  /** Throws `service_unavailable` if a change would not take effect now: before a request that shows a secret once. */
  requireDelivery: () => Promise<void>;
  sender: Pick<WebhookSender, "checkDestination">;
  feedLag: Histogram;
}
