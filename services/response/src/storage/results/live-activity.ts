import type { PrismaClient } from "../../../gen/prisma/client.ts";

/** Starts since the beginning of a day, by country; "" if that is unknown. */
export async function countStartsByCountry(
  { startDay }: Pick<PrismaClient, "startDay">,
  workspaceId: string,
  since: Date,
): Promise<Map<string, number>> {
  const where = { workspaceId, startsAt: { gte: since } };
  const rows = await startDay.groupBy({ by: "country", where, _sum: { started: true } });
  return new Map(rows.map(({ country, _sum }) => [country, Number(_sum.started)]));
}

/** Counts the respondents of the slots since `since`. */
export async function countActive(
  { activitySlot }: Pick<PrismaClient, "activitySlot">,
  workspaceId: string,
  since: Date,
): Promise<number> {
  const where = { workspaceId, startsAt: { gte: since } };
  const { _sum } = await activitySlot.aggregate({ where, _sum: { respondents: true } });
  return Number(_sum.respondents ?? 0);
}
