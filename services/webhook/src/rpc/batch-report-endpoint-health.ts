import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { requireBatchSize } from "@canvass/inputs";
import type { BatchReportEndpointHealthRequest, BatchReportEndpointHealthResponseSchema } from "@canvass/proto/webhook";
import type { WebhookContext } from "../context.ts";
import { saveHealth } from "../storage/health.ts";

export async function batchReportEndpointHealth(
  { database }: WebhookContext,
  { reports }: BatchReportEndpointHealthRequest,
): Promise<MessageInitShape<typeof BatchReportEndpointHealthResponseSchema>> {
  requireBatchSize("reports", reports);
  const health = reports.map(({ lastSuccessAt, changedAt, ...rest }) => ({
    ...rest,
    lastSuccessAt: lastSuccessAt ? timestampDate(lastSuccessAt) : null,
    // A report without a time never replaces a stored one.
    changedAt: changedAt ? timestampDate(changedAt) : new Date(0),
  }));
  await saveHealth(database.hot.sql, health);
  return {};
}
