import type { DeliveryConfig } from "../../config.ts";
import type { DeliveryContext } from "../../context.ts";
import { startDisabling } from "./disable-endpoints.ts";
import { startHealthReports } from "./report-health.ts";
import { startWorker, type Worker } from "./worker.ts";

export function startSending(context: DeliveryContext, config: DeliveryConfig, pollMs: number): Worker {
  const { use } = context;
  const disabling = use(startDisabling(context));
  const reports = use(startHealthReports(context, Math.min(pollMs, 1000)));
  return use(
    startWorker(context, {
      maxRunning: config.CANVASS_WEBHOOK_CONCURRENCY,
      maxPerEndpoint: config.CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY,
      pollMs,
      onRecorded: () => reports.nudge(),
      onDisable: () => disabling.nudge(),
    }),
  );
}
