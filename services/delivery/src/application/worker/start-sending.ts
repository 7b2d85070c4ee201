import type { DeliveryContext } from "../../context.ts";
import { startDisabling } from "./disable-endpoints.ts";
import { startHealthReports } from "./report-health.ts";
import { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

export type SendingOptions = Pick<WorkerOptions, "maxRunning" | "maxPerEndpoint" | "pollMs">;

export function startSending(context: DeliveryContext, options: SendingOptions): Worker {
  const { use } = context;
  const disabling = use(startDisabling(context));
  const reports = use(startHealthReports(context, Math.min(options.pollMs, 1000)));
  return use(
    startWorker(context, {
      ...options,
      onRecorded: () => reports.nudge(),
      onDisable: () => disabling.nudge(),
    }),
  );
}
