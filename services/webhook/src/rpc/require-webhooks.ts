import { includesWebhooks, planWithWebhooks } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";

/** Throws `feature_locked` if the plan does not include webhooks and the feed (contract 4.10). */
export function requireWebhooks({ plan }: Caller): void {
  if (includesWebhooks(plan)) return;
  throw new AppError("feature_locked", { feature: "webhooks", required_plan: planWithWebhooks });
}
