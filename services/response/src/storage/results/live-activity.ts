import type { Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../../gen/prisma/client.ts";

export async function findStarts(
  { startDay }: Pick<PrismaClient, "startDay">,
  workspaceId: string,
  since: Date,
): Promise<Map<string, number>> {
  const where = { workspaceId, startsAt: { gte: since } };
  const rows = await startDay.groupBy({ by: "country", where, _sum: { started: true } });
  return new Map(rows.map(({ country, _sum }) => [country, Number(_sum.started)]));
}

export async function findActive(
  { activitySlot }: Pick<PrismaClient, "activitySlot">,
  workspaceId: string,
  since: Date,
): Promise<number> {
  const where = { workspaceId, startsAt: { gte: since } };
  const { _sum } = await activitySlot.aggregate({ where, _sum: { respondents: true } });
  return Number(_sum.respondents ?? 0);
}

export const purgeStartDays = (sql: Sql, before: Date, limit: number) => purge(sql, "start_days", before, limit);

export const purgeActivitySlots = (sql: Sql, before: Date, limit: number) =>
  purge(sql, "activity_slots", before, limit);

async function purge(sql: Sql, table: "start_days" | "activity_slots", before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE starts_at < $1::timestamptz LIMIT $2 FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS gone`,
    [before, limit],
  );
  return rows.length;
}
