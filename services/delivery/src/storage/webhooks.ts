import { hadWebhooksSql } from "@canvass/plan-history";
import type { Sql } from "@canvass/postgres";
import type { Webhook, WebhookVersion } from "../domain/webhook.ts";
import type { EndpointRef } from "./claimed-delivery.ts";

export interface SealedWebhook extends Omit<Webhook, "secrets"> {
  sealedSecret: Uint8Array;
  sealedFormerSecret: Uint8Array;
  formerUntil: Date | null;
}

export interface NewWebhook extends Omit<SealedWebhook, "hasWebhooks"> {
  changedAt: Date;
}

/** Whether the plan has webhooks by the last known change. */
export const HAS_PLAN = (workspaceId: string): string => hadWebhooksSql(workspaceId, "'infinity'");

/** Columns of `SealedWebhook` but for the key. */
export const WEBHOOK_COLUMNS = (w: string): string => `${w}.revision, ${w}.status, ${w}.status_reason AS "statusReason",
  ${w}.url, ${w}.sealed_secret AS "sealedSecret", ${w}.sealed_former_secret AS "sealedFormerSecret",
  ${w}.former_until AS "formerUntil", ${w}.destination_revision AS "destinationRevision",
  ${w}.active_since AS "activeSince", ${HAS_PLAN(`${w}.workspace_id`)} AS "hasWebhooks"`;

/** Whether the webhooks of a workspace are known, read together with them. The ORDER BY forces the primary key. */
export const IS_KNOWN = (workspaceId: string): string => `coalesce((
    SELECT k.is_known FROM known_workspaces k WHERE k.workspace_id = ${workspaceId}
    ORDER BY k.workspace_id LIMIT 1), false)`;

/** Whether attempts to the webhook `ref` may begin now. */
export const TAKES_DELIVERIES = (ref: string): string => `EXISTS (
    SELECT 1 FROM webhooks w WHERE w.workspace_id = ${ref}.workspace_id AND w.subscription_id = ${ref}.subscription_id
      AND w.status = 'active' AND ${HAS_PLAN("w.workspace_id")} AND ${IS_KNOWN("w.workspace_id")})
  AND NOT EXISTS (
    SELECT 1 FROM disable_requests r
    WHERE r.workspace_id = ${ref}.workspace_id AND r.subscription_id = ${ref}.subscription_id)`;

const FIND = `
SELECT ${IS_KNOWN("asked.workspace_id")} AS "isKnown", asked.workspace_id AS "workspaceId",
  asked.subscription_id AS "subscriptionId", ${WEBHOOK_COLUMNS("w")}
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (workspace_id, subscription_id, position)
LEFT JOIN webhooks w ON w.workspace_id = asked.workspace_id AND w.subscription_id = asked.subscription_id
ORDER BY asked.position`;

type Found = { isKnown: boolean } & (SealedWebhook | { revision: null });

/** In the order of `refs`. `webhook` is undefined if none is stored. */
export async function findWebhooks(
  sql: Sql,
  refs: readonly EndpointRef[],
): Promise<{ isKnown: boolean; webhook: SealedWebhook | undefined }[]> {
  const rows = await sql.query<Found>(FIND, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ subscriptionId }) => subscriptionId),
  ]);
  return rows.map(({ isKnown, ...row }) => ({ isKnown, webhook: row.revision === null ? undefined : row }));
}

export async function findWebhookVersion(
  sql: Sql,
  { workspaceId, subscriptionId }: EndpointRef,
): Promise<WebhookVersion | undefined> {
  const rows = await sql.query<WebhookVersion>(
    `SELECT revision, changed_at AS "changedAt", status FROM webhooks
     WHERE workspace_id = $1 AND subscription_id = $2`,
    [workspaceId, subscriptionId],
  );
  return rows[0];
}

export async function putWebhooks(sql: Sql, webhooks: readonly NewWebhook[]): Promise<void> {
  if (webhooks.length === 0) return;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  await sql.query(PUT, [
    webhooks.map(({ workspaceId }) => workspaceId),
    webhooks.map(({ subscriptionId }) => subscriptionId),
    webhooks.map(({ revision }) => revision),
    webhooks.map(({ changedAt }) => changedAt),
    webhooks.map(({ status }) => status),
    webhooks.map(({ statusReason }) => statusReason),
    webhooks.map(({ url }) => url),
    webhooks.map(({ sealedSecret }) => hex(sealedSecret)),
    webhooks.map(({ sealedFormerSecret }) => hex(sealedFormerSecret)),
    webhooks.map(({ formerUntil }) => formerUntil),
    webhooks.map(({ destinationRevision }) => destinationRevision),
    webhooks.map(({ activeSince }) => activeSince),
  ]);
}

const PUT = `
INSERT INTO webhooks (workspace_id, subscription_id, revision, changed_at, status, status_reason, url, sealed_secret,
  sealed_former_secret, former_until, destination_revision, active_since)
SELECT workspace_id, subscription_id, revision, changed_at, status, status_reason, url, decode(secret, 'hex'),
  decode(former_secret, 'hex'), former_until, destination_revision, active_since
FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::timestamptz[], $11::int[], $12::timestamptz[])
  AS told (workspace_id, subscription_id, revision, changed_at, status, status_reason, url, secret, former_secret,
    former_until, destination_revision, active_since)
ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET revision = excluded.revision,
  changed_at = excluded.changed_at, status = excluded.status, status_reason = excluded.status_reason,
  url = excluded.url, sealed_secret = excluded.sealed_secret, sealed_former_secret = excluded.sealed_former_secret,
  former_until = excluded.former_until, destination_revision = excluded.destination_revision,
  active_since = excluded.active_since`;

/** Deletes what is stored of a webhook. Keeps its row as `deleted`, so that a late change does not bring it back. */
export async function deleteWebhook(sql: Sql, { workspaceId, subscriptionId }: EndpointRef, now: Date): Promise<void> {
  await sql.query(
    `UPDATE webhooks SET status = 'deleted', url = '', sealed_secret = '', sealed_former_secret = '', changed_at = $3
     WHERE workspace_id = $1 AND subscription_id = $2`,
    [workspaceId, subscriptionId, now],
  );
  await sql.query("DELETE FROM listening_intervals WHERE workspace_id = $1 AND subscription_id = $2", [
    workspaceId,
    subscriptionId,
  ]);
}

/** Marks webhooks of these workspaces that are not among the kept ones as deleted: their owner no longer has them. */
export async function deleteOtherWebhooks(
  sql: Sql,
  workspaceIds: readonly string[],
  kept: readonly EndpointRef[],
  now: Date,
): Promise<void> {
  await sql.query(
    `UPDATE webhooks w SET status = 'deleted', url = '', sealed_secret = '', sealed_former_secret = '', changed_at = $4
     WHERE w.workspace_id = ANY ($1) AND w.status <> 'deleted' AND NOT EXISTS (
       SELECT 1 FROM unnest($2::text[], $3::text[]) AS kept (workspace_id, subscription_id)
       WHERE kept.workspace_id = w.workspace_id AND kept.subscription_id = w.subscription_id)`,
    [workspaceIds, kept.map(({ workspaceId }) => workspaceId), kept.map(({ subscriptionId }) => subscriptionId), now],
  );
}

/** Deletes what is left of webhooks that were deleted before, once nothing of them is queued. */
export async function purgeDeletedWebhooks(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(PURGE, [before, limit]);
  return rows.length;
}

const PURGE = `
WITH old AS MATERIALIZED (
  SELECT w.workspace_id, w.subscription_id FROM webhooks w
  WHERE w.status = 'deleted' AND w.changed_at < $1 AND NOT EXISTS (
    SELECT 1 FROM due_deliveries d
    WHERE d.workspace_id = w.workspace_id AND d.subscription_id = w.subscription_id)
  ORDER BY w.changed_at LIMIT $2
), queues AS (
  DELETE FROM endpoint_queues q USING old WHERE q.workspace_id = old.workspace_id AND q.subscription_id = old.subscription_id
), healths AS (
  DELETE FROM endpoint_health h USING old WHERE h.workspace_id = old.workspace_id AND h.subscription_id = old.subscription_id
)
DELETE FROM webhooks w USING old
WHERE w.workspace_id = old.workspace_id AND w.subscription_id = old.subscription_id
RETURNING 1`;
