import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { startLoop, type Loop } from "@canvass/events";
import type { DeliveryContext } from "../context.ts";
import { markReported, readUnreported, type StoredHealth } from "../storage/endpoint-health.ts";

const BATCH = 500;

/** Tells the webhook service how endpoints do, at most once in `pauseMs` for each, however many attempts there are. */
export function startHealthReports(context: DeliveryContext, pauseMs: number): Loop {
  return startLoop({
    minGapMs: pauseMs,
    round: async () => {
      const changed = await readUnreported(context.database.sql, BATCH);
      if (changed.length === 0) return pauseMs;
      await context.subscriptions.batchReportEndpointHealth({ reports: changed.map(reportOf) });
      await markReported(context.database.sql, changed);
      return changed.length === BATCH ? 0 : pauseMs;
    },
    onFailure: (error, inARow) => {
      if (inARow === 1) context.log.warn({ err: error }, "the health of endpoints could not be reported");
    },
  });
}

function reportOf({ lastSuccessAt, lastFailureAt, ...rest }: StoredHealth) {
  return {
    ...rest,
    ...(lastSuccessAt ? { lastSuccessAt: timestampFromDate(lastSuccessAt) } : {}),
    ...(lastFailureAt ? { lastFailureAt: timestampFromDate(lastFailureAt) } : {}),
  };
}
