import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { startLoop, type Loop } from "@canvass/jobs";
import type { DeliveryContext } from "../../context.ts";
import { isFailing } from "../../domain/failing.ts";
import type { EndpointRef } from "../../storage/claimed-delivery.ts";
import { markReported, findUnreported, type StoredHealth } from "../../storage/endpoint-health.ts";
import { despiteFailures } from "./despite-failures.ts";

const BATCH = 500;

/** An idle loop pauses this many times longer: attempts nudge it, so it only looks for reports of dead processes. */
const IDLE_PAUSES = 15;

/** Continues behind a full batch, so that endpoints that change all the time do not hold up reports of later ones. */
export function startHealthReports(context: DeliveryContext, pauseMs: number): Loop {
  let after: EndpointRef | undefined;
  return startLoop({
    minGapMs: pauseMs,
    round: async (stopping) => {
      const isFromStart = after === undefined;
      const changed = await findUnreported(context.database.sql, BATCH, after);
      after = changed.length === BATCH ? changed.at(-1) : undefined;
      if (changed.length === 0) return isFromStart ? IDLE_PAUSES * pauseMs : pauseMs;
      await reportHealth(context, changed, stopping);
      return changed.length === BATCH ? 0 : pauseMs;
    },
    onFailure: (error, inARow) => {
      if (inARow === 1) context.log.warn({ err: error }, "the health of endpoints could not be reported");
    },
  });
}

/** Also pauses webhooks that keep failing. May be repeated. A webhook that cannot be paused stays unreported. */
export async function reportHealth(
  { database: { sql }, subscriptions }: Pick<DeliveryContext, "database" | "subscriptions">,
  health: readonly StoredHealth[],
  stopping?: AbortSignal,
): Promise<void> {
  await subscriptions.batchReportEndpointHealth({ reports: health.map(reportOf) });
  const pause = async (failing: StoredHealth): Promise<void> => {
    await subscriptions.disableSubscription(pauseOf(failing));
    // Last: an interrupted report is repeated, and does nothing to a webhook that is already paused.
    await markReported(sql, [failing]);
  };
  const [failing, others] = [health.filter(isFailing), health.filter((each) => !isFailing(each))];
  await markReported(sql, others);
  await despiteFailures(failing, pause, stopping);
}

function pauseOf({ workspaceId, subscriptionId, destinationRevision, pausingFailures, lastSuccessAt }: StoredHealth) {
  return {
    workspaceId,
    subscriptionId,
    reason: "failing",
    destinationRevision,
    failedAttempts: pausingFailures,
    ...(lastSuccessAt ? { lastSuccessAt: timestampFromDate(lastSuccessAt) } : {}),
  };
}

function reportOf({
  lastSuccessAt,
  lastFailureAt,
  changedAt,
  pausingFailures: _counted,
  activeSince: _since,
  ...rest
}: StoredHealth) {
  return {
    ...rest,
    changedAt: timestampFromDate(changedAt),
    ...(lastSuccessAt ? { lastSuccessAt: timestampFromDate(lastSuccessAt) } : {}),
    ...(lastFailureAt ? { lastFailureAt: timestampFromDate(lastFailureAt) } : {}),
  };
}
