import type { MessageInitShape } from "@bufbuild/protobuf";
import { dayIn, startOfDay } from "@canvass/values";
import type { GetLiveSummaryRequest, GetLiveSummaryResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { oldestActiveSlot } from "../domain/results/counters.ts";
import { countActive, countStartsByCountry } from "../storage/results/live-activity.ts";

/** Stands for unknown or uncollected countries (ISO 3166: user-assigned). */
const unknownCountry = "ZZ";

/** Returns a workspace's activity of today and of the last minutes (contract 7.11). */
export async function getLiveSummary(
  { database: { prisma }, now }: ResponseContext,
  _request: GetLiveSummaryRequest,
  { caller: { workspaceId, timeZone } }: Call,
): Promise<MessageInitShape<typeof GetLiveSummaryResponseSchema>> {
  const at = now();
  const midnight = startOfDay(timeZone, dayIn(timeZone, at));
  const [starts, active] = await Promise.all([
    countStartsByCountry(prisma, workspaceId, midnight),
    countActive(prisma, workspaceId, oldestActiveSlot(at)),
  ]);
  const byCountry = [...starts]
    .filter(([, count]) => count !== 0)
    .map(([country, count]) => ({ countryCode: country || unknownCountry, count: BigInt(count) }))
    .sort((a, b) => Number(b.count - a.count) || (a.countryCode < b.countryCode ? -1 : 1));
  return {
    startedSinceMidnight: byCountry.reduce((sum, { count }) => sum + count, 0n),
    active: BigInt(active),
    byCountry,
  };
}
