import { includesWebhooks, planWithWebhooks } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import type { Subscription } from "@canvass/proto/webhook";

export const webhooksLocked = (): AppError =>
  new AppError("feature_locked", { feature: "webhooks", required_plan: planWithWebhooks });

/** Throws `feature_locked` before `subscription_is_pull` (contract 1.7). */
export function requireWebhook({ plan }: Caller, { mode }: Subscription): void {
  if (!includesWebhooks(plan)) throw webhooksLocked();
  if (mode !== "push") throw new AppError("subscription_is_pull");
}

export function requireActiveWebhook(caller: Caller, subscription: Subscription): void {
  requireWebhook(caller, subscription);
  const { status } = subscription;
  if (status !== "active") throw new AppError("subscription_not_active", { status });
}
