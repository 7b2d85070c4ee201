import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { startLoop, type Loop } from "@canvass/jobs";
import type { DeliveryContext } from "../context.ts";
import { markReported, findUnreported, type StoredHealth } from "../storage/endpoint-health.ts";

const BATCH = 500;

/** For what dead processes left; recorded attempts nudge. */
const IDLE_PAUSES = 15;

/** Reports endpoint health to the webhook service, at most once per `pauseMs` and endpoint. */
export function startHealthReports(context: DeliveryContext, pauseMs: number): Loop {
  return startLoop({
    minGapMs: pauseMs,
    round: async () => {
      const changed = await findUnreported(context.database.sql, BATCH);
      if (changed.length === 0) return IDLE_PAUSES * pauseMs;
      await reportHealth(context, changed);
      return changed.length === BATCH ? 0 : pauseMs;
    },
    onFailure: (error, inARow) => {
      if (inARow === 1) context.log.warn({ err: error }, "the health of endpoints could not be reported");
    },
  });
}

/** Takes at most 500; repeatable. */
export async function reportHealth(
  { database: { sql }, subscriptions }: Pick<DeliveryContext, "database" | "subscriptions">,
  health: readonly StoredHealth[],
): Promise<void> {
  await subscriptions.batchReportEndpointHealth({ reports: health.map(reportOf) });
  await markReported(sql, health);
}

function reportOf({ lastSuccessAt, lastFailureAt, changedAt, ...rest }: StoredHealth) {
  return {
    ...rest,
    changedAt: timestampFromDate(changedAt),
    ...(lastSuccessAt ? { lastSuccessAt: timestampFromDate(lastSuccessAt) } : {}),
    ...(lastFailureAt ? { lastFailureAt: timestampFromDate(lastFailureAt) } : {}),
  };
}
