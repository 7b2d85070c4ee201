import type { Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { EndpointRef } from "./claimed-delivery.ts";

export function findQueuedEndpoints(
  { endpointQueue }: Pick<PrismaClient, "endpointQueue">,
  workspaceId: string,
): Promise<EndpointRef[]> {
  const where = { workspaceId, nextDueAt: { not: null } };
  return endpointQueue.findMany({ where, select: { workspaceId: true, subscriptionId: true } });
}

export async function hasQueued(sql: Sql, workspaceId: string, createdUntil: Date): Promise<boolean> {
  const rows = await sql.query<{ queued: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM due_deliveries d
       JOIN deliveries x ON x.workspace_id = d.workspace_id AND x.subscription_id = d.subscription_id
         AND x.delivery_id = d.delivery_id
       WHERE d.workspace_id = $1 AND x.created_at <= $2) AS queued`,
    [workspaceId, createdUntil],
  );
  return rows[0]!.queued;
}
